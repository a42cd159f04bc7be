-- Fields of every frame, and what is worth a warning.

local F = {
  command = field(ProtoField.string, "iggy.command", "command"),
  code = field(ProtoField.uint32, "iggy.code", "code"),
  dialect = field(ProtoField.string, "iggy.dialect", "dialect"),
  header = field(ProtoField.none, "iggy.vsr", "header"),
  length = field(ProtoField.uint32, "iggy.length", "length"),
  status = field(ProtoField.uint32, "iggy.status", "status"),
  error = field(ProtoField.string, "iggy.error", "error"),
  meaning = field(ProtoField.string, "iggy.meaning", "meaning"),
  response_in = field(ProtoField.framenum, "iggy.response_in", "response_in", base.NONE, frametype.RESPONSE),
  response_to = field(ProtoField.framenum, "iggy.response_to", "response_to", base.NONE, frametype.REQUEST),
  time = field(ProtoField.relative_time, "iggy.time", "time"),
  secret = field(ProtoField.bool, "iggy.secret", "secret"),
  undecoded = field(ProtoField.bytes, "iggy.undecoded", "undecoded"),
  layout = field(ProtoField.string, "iggy.layout", "message layout"),
  message_offset = field(ProtoField.uint64, "iggy.message.offset", "offset"),
}

local experts = {
  refused = ProtoExpert.new("iggy.refused", "The server refused", expert.group.RESPONSE_CODE, expert.severity.WARN),
  evicted = ProtoExpert.new("iggy.evicted", "The session is over", expert.group.RESPONSE_CODE, expert.severity.WARN),
  malformed = ProtoExpert.new("iggy.malformed", "Malformed", expert.group.MALFORMED, expert.severity.ERROR),
  unknown = ProtoExpert.new("iggy.unknown_command", "Unknown command", expert.group.UNDECODED, expert.severity.WARN),
  ambiguous = ProtoExpert.new("iggy.ambiguous", "Nothing tells", expert.group.UNDECODED, expert.severity.WARN),
  dialects = ProtoExpert.new("iggy.dialects", "Dialects differ", expert.group.PROTOCOL, expert.severity.ERROR),
  unpaired = ProtoExpert.new("iggy.no_request", "No request", expert.group.SEQUENCE, expert.severity.NOTE),
  cut = ProtoExpert.new("iggy.cut", "Not all bytes are here", expert.group.UNDECODED, expert.severity.NOTE),
  hidden = ProtoExpert.new("iggy.hidden", "Not shown", expert.group.UNDECODED, expert.severity.NOTE),
}

-- One frame: what it is, what it belongs to, and its fields.

local frames = {}

local HEADER = { classic = 8, vsr = 256 }

function frames.name(code)
  return tables.commands[code] and tables.commands[code].name or "unknown_" .. code
end

-- The whole length of the frame that a header begins, and whether its length is one that
-- cannot be. A server steps over the header of such a frame, and so do we.
function frames.length(dialect, to_server, head)
  if dialect == "vsr" then
    local size = numbers.u32(head, 48)
    return math.max(size, 256), size < 256
  elseif to_server then
    local length = numbers.u32(head, 0)
    return math.max(length, 4) + 4, length < 4
  end
  return numbers.u32(head, 4) + 8, false
end

-- Which of the two logins a body is; both travel as the same operation.
local function login_code(body)
  local password = not read_body(body, "vsr", tables.requests.vsr[CODE.login_register]).failure
  local token = not read_body(body, "vsr", tables.requests.vsr[CODE.login_register_with_pat]).failure
  return token and not password and CODE.login_register_with_pat or CODE.login_register
end

local function has_namespace(head)
  return numbers.u32(head, 192) ~= 0 and numbers.u32(head, 196) == 0
end

local function code_of(frame, head, body)
  if frame.vsr == COMMAND.ping_client then
    return CODE.ping
  elseif frame.operation == OPERATION.non_replicated then
    return numbers.u32(head, has_namespace(head) and 204 or 196)
  elseif frame.operation == OPERATION.register then
    return login_code(body)
  end
  local operation = tables.operations[frame.operation]
  return operation and operation.code or 0
end

-- What a frame is, by its header.
function frames.identify(dialect, to_server, head, body)
  local frame = { dialect = dialect, to_server = to_server }
  if dialect == "classic" then
    if to_server then
      frame.code = numbers.u32(head, 4)
    else
      frame.status = numbers.u32(head, 0)
    end
    return frame
  end
  frame.vsr = head:byte(61)
  if to_server then
    frame.client, frame.request, frame.operation = head:sub(129, 144), head:sub(169, 176), head:byte(177)
    frame.code = code_of(frame, head, body)
  elseif frame.vsr == COMMAND.eviction then
    frame.client = head:sub(129, 144)
  else
    frame.client, frame.request, frame.operation = head:sub(161, 176), head:sub(201, 208), head:byte(209)
  end
  return frame
end

-- The status in a reply's header, nil where its bytes are an error in one layout and
-- success in another; and the layout that tells it.
local function status_of(head, body_length, known)
  local at_216, at_220, at_224 = numbers.u32(head, 216), numbers.u32(head, 220), numbers.u32(head, 224)
  if known then
    return known == "at_216" and at_216 or at_224, known
  elseif at_224 > 0 then
    return at_224, "at_224"
  elseif at_216 > 0 and at_220 == 0 and body_length == 0 then
    return nil
  end
  return 0
end

local function header_shapes(frame, head, body_length)
  local headers = tables.headers
  if frame.vsr == COMMAND.request then
    return { has_namespace(head) and headers.request_with_namespace or headers.request }
  elseif frame.vsr == COMMAND.eviction then
    return { headers.eviction }
  elseif frame.vsr ~= COMMAND.reply then
    return { headers.other }
  end
  local status, where = status_of(head, body_length)
  local tail = headers.status
  if where == "at_224" then
    tail = headers.status_behind_namespace
  elseif not status then
    tail = headers.status_or_namespace
  elseif status == 0 and not numbers.is_zero(head, 216, 224) then
    tail = headers.namespace
  end
  return { headers.reply, tail }
end

local function show_header(view, frame, head, body_length)
  local range, tree = view.range, view.tree
  if frame.dialect == "vsr" then
    local sub = tree:add(F.header, range(0, 256))
    local reader = Reader.new(head, "vsr")
    for _, parts in ipairs(header_shapes(frame, head, body_length)) do
      reader:try(parts)
    end
    show.fields(sub, range, head, reader.fields, view.left)
  elseif frame.to_server then
    tree:add_le(F.length, range(0, 4))
    tree:add_le(F.code, range(4, 4)):append_text(" (" .. frames.name(frame.code) .. ")")
  else
    tree:add_le(F.status, range(0, 4))
    tree:add_le(F.length, range(4, 4))
  end
end

-- The offsets of a body's messages, by message, and the first and last.
local function offsets_of(reader)
  local offsets = {}
  each_message(reader.fields, function(message, record)
    local offset = offset_of(reader.bytes, message, record)
    offsets[message] = offset
    offsets.first, offsets.last = offsets.first or offset, offset
  end)
  return offsets
end

local function show_failure(view, reader, start)
  local failure = reader.failure
  if failure then
    local text = string.format("%s (byte %d of the frame)", failure.why, start + failure.at)
    view.tree:add_proto_expert_info(failure.limit and experts.hidden or experts.malformed, text)
  end
end

-- A body's fields; returns its reader and the offsets of its messages.
local function show_body(view, start, body, dialect, layouts)
  local reader = read_body(body, dialect, layouts)
  view.left.offsets = offsets_of(reader)
  local range = show.part(view.range, start, #body)
  show.fields(view.tree, range, body, reader.fields, view.left)
  if reader.failure and reader.at < #body then
    view.tree:add(F.undecoded, range(reader.at, #body - reader.at))
  end
  if reader.layout and view.left.offsets.first then
    view.tree:add(F.layout, reader.layout):set_generated()
  end
  show_failure(view, reader, start)
  return reader, view.left.offsets
end

local function show_command(view, frame, code)
  local name = frames.name(code)
  view.tree:add(F.command, name):set_generated()
  if frame.dialect == "vsr" or not frame.to_server then
    view.tree:add(F.code, code):set_generated()
  end
  if not tables.commands[code] then
    view.tree:add_proto_expert_info(experts.unknown, "no known version has command " .. code)
  end
  return name
end

local function request(view, frame, body)
  local name = show_command(view, frame, frame.code)
  view.tree:append_text(", request: " .. name)
  if frame.reply then
    view.tree:add(F.response_in, frame.reply.number):set_generated()
  end
  local layouts = tables.requests[frame.dialect][frame.code] or tables.unknown
  local reader = show_body(view, HEADER[frame.dialect], body, frame.dialect, layouts)
  return words.request(name, reader)
end

local function show_status(view, status, in_header)
  if not in_header then
    view.tree:add(F.status, status):set_generated()
  end
  if status == 0 then
    return nil
  end
  local name = tables.errors[status] or "unknown_" .. status
  view.tree:add(F.error, name):set_generated()
  view.tree:add_proto_expert_info(experts.refused, "refused: " .. status .. " " .. name)
  return status .. " " .. name
end

-- What precedes the body of a reply to a replicated command; returns its length and the
-- status in it.
local function result_section(view, frame, body)
  local asked = frame.asked.operation
  local operation = tables.operations[asked]
  if not (operation and operation.framed) or asked == OPERATION.register and #body == 0 then
    return 0, 0
  end
  local reader = Reader.new(body, "vsr")
  reader.failure = reader:try(tables.headers.result_section)
  show.fields(view.tree, show.part(view.range, 256, #body), body, reader.fields, view.left)
  show_failure(view, reader, 256)
  if reader.failure then
    return nil
  end
  local entry = reader.fields[2].kids[1]
  return reader.at, entry and kid(entry, "result").v or 0
end

local function learn_status(view, frame, reader)
  if not view.first_time then
    return
  end
  local version
  for _, made in ipairs(reader and reader.fields or {}) do
    if made.p.n == "server_protocol_version" then
      version = made.v
    end
  end
  if version then
    talk.learn_status(view.connection, version >= FIRST_WITH_STATUS_AT_216 and "at_216" or nil)
  else
    talk.learn_status(view.connection, frame.status_place)
  end
end

local function reply_body(view, frame, body, name)
  local start, code = HEADER[frame.dialect], frame.asked.code
  local before, status = 0, frame.status
  if frame.dialect == "vsr" and status == 0 then
    before, status = result_section(view, frame, body)
  end
  local failed = show_status(view, status or 0, frame.dialect == "classic")
  if not before then
    return name .. ": malformed"
  elseif failed then
    if #body > before then
      view.tree:add_proto_expert_info(experts.malformed, "an error reply has a body, where no known server sends any")
    end
    return name .. ": " .. failed
  end
  body = body:sub(before + 1)
  if #body == 0 then
    local meaning = tables.empty[code]
    if meaning then
      view.tree:add(F.meaning, meaning):set_generated()
    end
    return name .. ": " .. (meaning or "ok")
  end
  local layouts = tables.replies[frame.dialect][code] or tables.unknown
  local reader, offsets = show_body(view, start + before, body, frame.dialect, layouts)
  return words.reply(name, reader, offsets), reader
end

local function eviction(view, frame, head)
  local reason = head:byte(256)
  local meaning = tables.evictions[reason] or "for a reason that is not known"
  view.tree:append_text(", eviction")
  view.tree:add_proto_expert_info(experts.evicted, "the session is over: " .. meaning)
  return "eviction: " .. meaning
end

local function reply(view, frame, head, body)
  local asked = frame.asked
  local name
  if asked then
    name = show_command(view, frame, asked.code)
    view.tree:append_text(", reply to " .. name)
    view.tree:add(F.response_to, asked.number):set_generated()
    local nanoseconds = math.floor((frame.time - asked.first) * 1e9 + 0.5)
    local elapsed = NSTime.new(math.floor(nanoseconds / 1e9), nanoseconds % 1e9)
    view.tree:add(F.time, elapsed):set_generated()
  end
  if frame.vsr == COMMAND.eviction then
    return eviction(view, frame, head)
  end
  if not asked then
    view.tree:append_text(", reply")
    view.tree:add_proto_expert_info(experts.unpaired, "no request to which this is the reply is in the capture")
    if #body > 0 then
      view.tree:add(F.undecoded, view.range(HEADER[frame.dialect], #body))
    end
    local status = frame.dialect == "classic" and show_status(view, frame.status, true)
    return "reply: " .. (status or "to no request that is here")
  end
  if frame.vsr == COMMAND.pong_client then
    show_status(view, 0)
    return name .. ": ok"
  end
  if not frame.status then
    local text = "the status is ambiguous: an error at byte 216 (servers from 0.9.0-edge.2), success at byte 224 (before)"
    view.tree:add_proto_expert_info(experts.ambiguous, text)
    return name .. ": ambiguous status"
  end
  local line, reader = reply_body(view, frame, body, name)
  if frame.dialect == "vsr" then
    learn_status(view, frame, reader)
  end
  return line
end

-- A frame that is whole, or as much of it as the capture has: `here` of its bytes.
function frames.dissect(at, length, here, dialect, wrong, talking)
  local pinfo, connection, to_server = talking.pinfo, talking.connection, talking.to_server
  local range = talking.tvb(at, here)
  local header = HEADER[dialect]
  local head = range:raw(0, header)
  local body = here > header and range:raw(header, here - header) or ""
  local key = talk.key(pinfo, talking.tvb, at)
  local first_time = not pinfo.visited
  local frame = connection.frames[key]
  if first_time or not frame then
    frame = frames.identify(dialect, to_server, head, body)
    frame.number, frame.time = pinfo.number, pinfo.rel_ts
  end
  if first_time then
    frame.first = talking.first_bytes(pinfo.rel_ts)
    connection.frames[key] = frame
    talk.seen(connection, frame)
    if frame.vsr == COMMAND.reply then
      local _, told = status_of(head, length - 256)
      frame.status_place = told
      frame.status = status_of(head, length - 256, talk.status_place(connection))
    end
  end
  local tree = talking.tree:add(iggy, range)
  local view = {
    tree = tree, range = range, connection = connection, first_time = first_time,
    left = { items = LIMITS.shown, offsets = {} },
  }
  tree:add(F.dialect, dialect):set_generated()
  show_header(view, frame, head, length - header)
  if connection.skewed then
    tree:add_proto_expert_info(experts.dialects, "the client speaks one dialect, the server answers in another")
  end
  if wrong then
    tree:add_proto_expert_info(experts.malformed, "a length that is below what it must count")
  end
  if here < length then
    tree:add_proto_expert_info(experts.cut, "of the frame's " .. length .. " bytes " .. here .. " are here")
    return (frame.code and show_command(view, frame, frame.code) or "reply") .. " (cut)"
  end
  if to_server then
    return request(view, frame, body)
  end
  return reply(view, frame, head, body)
end

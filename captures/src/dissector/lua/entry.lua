-- From Wireshark's packets to frames.

-- Which way bytes go: by the port that is a server's, else by what they begin with.
local function is_to_server(connection, tvb, pinfo)
  if not connection.server then
    local bytes = tvb:raw(0, math.min(tvb:len(), 256))
    local from, to = PORTS[pinfo.src_port], PORTS[pinfo.dst_port]
    if to and not from then
      connection.server = pinfo.dst_port
    elseif from and not to then
      connection.server = pinfo.src_port
    elseif recognise.client(bytes) == "classic" or recognise.client(bytes) == "vsr" then
      connection.server = pinfo.dst_port
    elseif #bytes == 256 and recognise.vsr_frame(bytes, false) then
      connection.server = pinfo.src_port
    else
      return nil
    end
  end
  return pinfo.dst_port == connection.server
end

-- The dialect, from the first bytes that tell it. "more": more bytes are needed.
local function dialect_of(connection, tvb, to_server)
  if connection.dialect or connection.foreign then
    return connection.dialect
  end
  local bytes = tvb:raw(0, math.min(tvb:len(), 256))
  if to_server then
    local found = recognise.client(bytes)
    if found == "classic" or found == "vsr" then
      connection.dialect = found
    elseif found == "other" then
      connection.foreign = true
    elseif found == nil then
      return "more"
    end
  elseif #bytes == 256 and recognise.vsr_frame(bytes, false) then
    connection.dialect = "vsr"
  end
  return connection.dialect
end

-- A server that answers in the other dialect does so from its first byte on.
local function note_skew(connection, tvb)
  if connection.answered then
    return
  end
  local bytes = tvb:raw(0, math.min(tvb:len(), 256))
  if connection.dialect == "vsr" then
    if #bytes < 8 then
      return
    end
    if numbers.u32(bytes, 0) ~= 0 and recognise.classic_reply(bytes) then
      connection.skewed = "classic"
    end
  elseif #bytes == 256 and recognise.vsr_frame(bytes, false) then
    connection.skewed = "vsr"
  end
  connection.answered = true
end

local function looks_like_frame(dialect, to_server, head)
  if dialect == "vsr" then
    return recognise.vsr_frame(head, to_server)
  elseif to_server then
    return recognise.classic_request(head)
  end
  return recognise.classic_reply(head)
end

-- Bytes that are no frame, to the end of the segment.
local function undecoded(talking, at, why)
  local range = talking.tvb(at)
  local tree = talking.tree:add(iggy, range)
  tree:append_text(", not decoded")
  tree:add(F.undecoded, range)
  tree:add_proto_expert_info(experts.malformed, why)
  return "not decoded"
end

-- When the first bytes of a frame came that goes on in the next segment.
local function note_first(connection, pinfo, to_server)
  if not pinfo.visited then
    connection.first[to_server] = connection.first[to_server] or pinfo.rel_ts
  end
end

-- After bytes that are no frame the next one has to be found, and of the requests that are
-- open nobody knows which are answered.
local function lose(connection, pinfo, to_server)
  if not pinfo.visited then
    connection.lost[to_server], connection.open = true, {}
  end
end

-- Whether a header that announces more than is here is more likely none: bytes before it
-- are missing from the capture.
local function is_implausible(dialect, to_server, head)
  if dialect == "vsr" then
    return tables.directions[head:byte(61)] ~= (to_server and "request" or "reply")
  elseif to_server then
    return not tables.commands[numbers.u32(head, 4)]
  end
  local status = numbers.u32(head, 0)
  return status ~= 0 and not tables.errors[status]
end

-- The frames of a segment, each as a line of words.
local function dissect_frames(talking, dialect)
  local tvb, pinfo, connection, to_server = talking.tvb, talking.pinfo, talking.connection, talking.to_server
  local header, at, lines = HEADER[dialect], 0, {}
  local is_cut = tvb:len() < tvb:reported_len()
  while at < tvb:len() do
    local left = tvb:len() - at
    local head = left >= header and tvb:raw(at, header) or nil
    local key = talk.key(pinfo, tvb, at)
    if not pinfo.visited and connection.lost[to_server] then
      if head and looks_like_frame(dialect, to_server, head) then
        connection.lost[to_server] = nil
      else
        connection.frames[key] = "lost"
      end
    end
    if connection.frames[key] == "lost" then
      lines[#lines + 1] = undecoded(talking, at, "these bytes belong to a frame whose beginning was not found")
      return lines
    end
    local length, wrong
    if head then
      length, wrong = frames.length(dialect, to_server, head)
      if length > left and is_implausible(dialect, to_server, head) then
        lose(connection, pinfo, to_server)
        lines[#lines + 1] = undecoded(talking, at, "these bytes begin no frame")
        return lines
      end
    end
    local is_huge = length and length > header + LIMITS.frame
    if not is_huge and (not length or length > left) then
      if not is_cut and pinfo.can_desegment > 0 then
        note_first(connection, pinfo, to_server)
        pinfo.desegment_offset = at
        pinfo.desegment_len = length and length - left or DESEGMENT_ONE_MORE_SEGMENT
        return lines
      elseif not length then
        lose(connection, pinfo, to_server)
        lines[#lines + 1] = undecoded(talking, at, "the capture ends within a frame's header")
        return lines
      end
    end
    local here = math.min(length, left)
    if here < length and not pinfo.visited then
      connection.lost[to_server] = true
    end
    lines[#lines + 1] = frames.dissect(at, length, here, dialect, wrong, talking)
    at = at + here
  end
  return lines
end

-- The packet whose line was last written: a second part of it goes on there.
local written

local function write_columns(pinfo, dialect, lines)
  if #lines == 0 then
    return
  end
  pinfo.cols.protocol = dialect == "vsr" and "Iggy/VSR" or "Iggy"
  local text = table.concat(lines, "; ")
  if written == pinfo.number then
    text = "; " .. text
  end
  written = pinfo.number
  pinfo.cols.info:set(text)
  pinfo.cols.info:fence()
end

local function want_more(connection, pinfo, tvb, to_server)
  if pinfo.can_desegment > 0 and tvb:len() == tvb:reported_len() then
    note_first(connection, pinfo, to_server)
    pinfo.desegment_offset, pinfo.desegment_len = 0, DESEGMENT_ONE_MORE_SEGMENT
    return tvb:len()
  end
  return 0
end

function iggy.dissector(tvb, pinfo, tree)
  if tvb:len() == 0 then
    return 0
  end
  local connection = talk.of_packet(pinfo)
  local to_server = is_to_server(connection, tvb, pinfo)
  if to_server == nil then
    return 0
  end
  local dialect = dialect_of(connection, tvb, to_server)
  if not dialect then
    return 0
  elseif dialect == "more" then
    return want_more(connection, pinfo, tvb, to_server)
  end
  connection.since = connection.since or pinfo.number
  if pinfo.number < connection.since then
    return 0 -- what was not understood the first time
  end
  if not to_server then
    note_skew(connection, tvb)
    dialect = connection.skewed or dialect
  end
  local talking = {
    tvb = tvb, pinfo = pinfo, tree = tree, connection = connection, to_server = to_server,
    -- When the first byte came of the frame that is whole now.
    first_bytes = function(now)
      local first = connection.first[to_server] or now
      connection.first[to_server] = nil
      return first
    end,
  }
  write_columns(pinfo, dialect, dissect_frames(talking, dialect))
  return tvb:len()
end

-- On any port: a first frame that is whole, and whose body is what its command says.
local function by_content(tvb, pinfo, tree)
  local connection = talk.of_packet(pinfo)
  if not connection.dialect then
    if pinfo.visited or (connection.tries or 0) >= LIMITS.tries then
      return false
    end
    local bytes = tvb:raw(0, tvb:len())
    local dialect = #bytes >= 8 and recognise.client(bytes)
    local header = HEADER[dialect]
    local length = header and #bytes >= header and frames.length(dialect, true, bytes)
    local sure = false
    if length and length <= #bytes and looks_like_frame(dialect, true, bytes) then
      local frame = frames.identify(dialect, true, bytes:sub(1, header), bytes:sub(header + 1, length))
      local layouts = tables.requests[dialect][frame.code]
      sure = layouts and not read_body(bytes:sub(header + 1, length), dialect, layouts).failure
    end
    if not sure then
      connection.tries = (connection.tries or 0) + 1
      return false
    end
    connection.server = pinfo.dst_port
    pinfo.conversation = iggy
  end
  return iggy.dissector(tvb, pinfo, tree) > 0
end

iggy.fields = registered
iggy.experts = experts
local tcp_ports = DissectorTable.get("tcp.port")
for port in pairs(PORTS) do
  tcp_ports:add(port, iggy)
end
iggy:register_heuristic("tcp", by_content)

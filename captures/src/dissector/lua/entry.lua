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
local function note_skew(connection, tvb, pinfo)
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

-- The frames of a segment, each as a line of words.
local function dissect_frames(talking, dialect)
  local tvb, pinfo, connection, to_server = talking.tvb, talking.pinfo, talking.connection, talking.to_server
  local header, at, lines = HEADER[dialect], 0, {}
  local is_cut = tvb:len() < tvb:reported_len()
  while at < tvb:len() do
    local left = tvb:len() - at
    local key = talk.key(pinfo, tvb, at)
    if not pinfo.visited and connection.lost[to_server] then
      connection.frames[key] = "lost"
    end
    if connection.frames[key] == "lost" then
      if left < header or not looks_like_frame(dialect, to_server, tvb:raw(at, header)) then
        lines[#lines + 1] = undecoded(talking, at, "these bytes belong to a frame whose beginning was not found")
        return lines
      end
      connection.frames[key], connection.lost[to_server] = nil, nil
    end
    local length, wrong
    if left >= header then
      length, wrong = frames.length(dialect, to_server, tvb:raw(at, header))
    end
    if length and length > header + LIMITS.frame then
      if not pinfo.visited then
        connection.lost[to_server] = true
      end
      lines[#lines + 1] = undecoded(talking, at, "a frame of " .. length .. " bytes, more than are looked at")
      return lines
    end
    if not length or length > left then
      if not is_cut and pinfo.can_desegment > 0 then
        note_first(connection, pinfo, to_server)
        pinfo.desegment_offset = at
        pinfo.desegment_len = length and length - left or DESEGMENT_ONE_MORE_SEGMENT
        return lines
      end
      if not pinfo.visited then
        connection.lost[to_server] = true
      end
      if not length then
        lines[#lines + 1] = undecoded(talking, at, "the capture ends within a frame's header")
        return lines
      end
    end
    local here = math.min(length, left)
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
  if not to_server then
    note_skew(connection, tvb, pinfo)
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
  if connection.rejected then
    return false
  end
  if not connection.dialect then
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
      connection.rejected = true
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

-- What is known of each connection: dialect, who is the server, and which reply answers
-- which request. Learned when the packets are seen for the first time, in order.

local talk = {}
local connections = {}
local tcp_stream = Field.new("tcp.stream")

function iggy.init()
  connections = {}
end

-- The connection of a packet: by its addresses and ports and, where these come twice, by
-- the number of the TCP stream, which Wireshark tells only while it builds a tree.
function talk.of_packet(pinfo)
  local ends = { tostring(pinfo.src) .. ":" .. pinfo.src_port, tostring(pinfo.dst) .. ":" .. pinfo.dst_port }
  table.sort(ends)
  local name = table.concat(ends, " ")
  local all = { tcp_stream() }
  local stream = #all > 0 and all[#all].value or nil
  connections[name] = connections[name] or {}
  for _, connection in ipairs(connections[name]) do
    if not stream or not connection.stream or connection.stream == stream then
      return connection
    end
  end
  local connection = {
    stream = stream,
    frames = {}, -- by key: what a frame is, and what it belongs to
    open = {}, -- requests without a reply
    first = {}, -- by direction: when the first bytes of an unfinished frame came
    lost = {}, -- by direction: whether a frame's beginning has to be found
    statuses = {}, -- where replies were seen to have their status
  }
  table.insert(connections[name], connection)
  return connection
end

-- Names a frame, the same each time that its packet is dissected.
function talk.key(pinfo, tvb, at)
  return table.concat({ pinfo.number, tvb:offset(), tvb:len(), at }, ":")
end

local function remember(list, item)
  for _, known in ipairs(list) do
    if known == item then
      return
    end
  end
  list[#list + 1] = item
end

-- Learns from a login's reply, or from where a header was seen to have it.
function talk.learn_status(connection, where)
  if where then
    remember(connection.statuses, where)
  end
end

-- Where replies have their status; nil where nothing or not one thing is known.
function talk.status_place(connection)
  return #connection.statuses == 1 and connection.statuses[1] or nil
end

local function asked(connection, frame)
  local open = connection.open
  if #open >= LIMITS.open then
    connection.unpaired = true
  end
  if connection.unpaired then
    connection.open = {}
    return
  end
  open[#open + 1] = frame
end

local function same_command(asked, done)
  if asked == done then
    return true
  end
  local first, second = tables.operations[asked], tables.operations[done]
  return first and second and first.code and first.code == second.code
end

local function answers(answer, asked)
  local ping = asked.vsr == COMMAND.ping_client
  if answer.vsr == COMMAND.pong_client then
    return ping
  elseif answer.vsr == COMMAND.reply then
    return not ping and same_command(asked.operation, answer.operation) and asked.request == answer.request
  elseif answer.vsr == COMMAND.eviction then
    return asked.operation == OPERATION.register and asked.client == answer.client
  end
  return false
end

-- Takes the request that a frame answers: in the classic dialect the oldest; in VSR the
-- oldest that the reply names, for reads share the number of the last write.
local function answered(connection, answer)
  for index, request in ipairs(connection.open) do
    if not answer.vsr or answers(answer, request) then
      table.remove(connection.open, index)
      request.reply, answer.asked = answer, request
      return
    end
  end
end

-- Takes note of a frame that is seen for the first time. Where the server speaks another
-- dialect than the client, nothing answers anything.
function talk.seen(connection, frame)
  if connection.skewed then
    return
  elseif frame.to_server then
    asked(connection, frame)
  else
    answered(connection, frame)
  end
end

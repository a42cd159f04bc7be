-- What bytes begin with. True, false, or nil: more bytes are needed.

local recognise = {}

local WORDS = {
  "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "CONNECT ", "OPTIONS ", "TRACE ", "PATCH ", "PRI ",
  "PROXY ", "\r\n\r\n\0\r\nQUIT\n",
}

local function begins(bytes, word)
  if #bytes >= #word then
    return bytes:sub(1, #word) == word
  elseif word:sub(1, #bytes) == bytes then
    return nil
  end
  return false
end

-- A TLS ClientHello; its first bytes alone also begin a classic request of 790 bytes.
local function is_client_hello(bytes)
  local begun = begins(bytes, "\22\3")
  if not begun then
    return begun
  elseif #bytes < 9 then
    return nil
  end
  local minor, high, low, kind, a, b, c = bytes:byte(3, 9)
  return minor <= 4 and kind == 1 and a * 65536 + b * 256 + c + 4 >= high * 256 + low
end

function recognise.classic_request(bytes)
  local length, code = numbers.u32(bytes, 0), numbers.u32(bytes, 4)
  return length >= 4 and length <= LIMITS.frame and tables.commands[code] ~= nil
end

function recognise.classic_reply(bytes)
  local status, length = numbers.u32(bytes, 0), numbers.u32(bytes, 4)
  if status == 0 then
    return length <= LIMITS.frame
  end
  return length == 0 and tables.errors[status] ~= nil
end

-- A whole VSR header, with nothing where nothing may be.
function recognise.vsr_frame(bytes, to_server)
  local size, command = numbers.u32(bytes, 48), bytes:byte(61)
  if size < 256 or size > 256 + LIMITS.frame or tables.directions[command] ~= (to_server and "request" or "reply") then
    return false
  end
  local zero = function(from, to) return numbers.is_zero(bytes, from, to) end
  if not (zero(0, 32) and zero(56, 60) and zero(62, 128)) then
    return false
  end
  if command == COMMAND.request then
    local operation = bytes:byte(177)
    return operation ~= 0 and tables.operations[operation] ~= nil and zero(177, 184)
  elseif command == COMMAND.reply then
    return tables.operations[bytes:byte(209)] ~= nil and zero(209, 216)
  elseif command == COMMAND.eviction then
    return size == 256
  end
  return true
end

-- What a client speaks that begins with these bytes: "classic", "vsr", "other"; nil where
-- more are needed.
function recognise.client(bytes)
  local hello = is_client_hello(bytes)
  local unsure = hello == nil
  for _, word in ipairs(WORDS) do
    local begun = begins(bytes, word)
    if begun then
      return "other"
    end
    unsure = unsure or begun == nil
  end
  if hello then
    return "other"
  elseif unsure or #bytes < 8 then
    return nil
  elseif recognise.classic_request(bytes) then
    return "classic"
  elseif #bytes < 61 then
    return nil
  end
  local size, command = numbers.u32(bytes, 48), bytes:byte(61)
  if size >= 256 and (command == COMMAND.ping_client or command == COMMAND.request) then
    return "vsr"
  end
  return "unknown"
end

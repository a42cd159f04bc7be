-- Little-endian numbers in a string of bytes; `at` counts from 0.

local numbers = {}

function numbers.u32(bytes, at)
  local a, b, c, d = bytes:byte(at + 1, at + 4)
  return a + b * 0x100 + c * 0x10000 + d * 0x1000000
end

function numbers.u64(bytes, at)
  return UInt64.new(numbers.u32(bytes, at), numbers.u32(bytes, at + 4))
end

-- Up to 53 bits, which is what a number of Lua holds.
function numbers.small(bytes, at, width)
  local sum = 0
  for index = at + width, at + 1, -1 do
    sum = sum * 256 + bytes:byte(index)
  end
  return sum
end

-- The decimal digits of any width.
function numbers.decimal(bytes, at, width)
  local LIMB = 10000000
  local limbs = { 0 }
  for index = at + width, at + 1, -1 do
    local carry = bytes:byte(index)
    for place = 1, #limbs do
      local sum = limbs[place] * 256 + carry
      limbs[place] = sum % LIMB
      carry = math.floor(sum / LIMB)
    end
    if carry > 0 then
      limbs[#limbs + 1] = carry
    end
  end
  local digits = { string.format("%d", limbs[#limbs]) }
  for place = #limbs - 1, 1, -1 do
    digits[#digits + 1] = string.format("%07d", limbs[place])
  end
  return table.concat(digits)
end

function numbers.is_zero(bytes, from, to)
  return not bytes:sub(from + 1, to):find("[^\0]")
end

function numbers.is_utf8(bytes)
  if not bytes:find("[\128-\255]") then
    return true
  end
  local at, length = 1, #bytes
  while at <= length do
    local first, second = bytes:byte(at, at + 1)
    local more
    if first < 0x80 then
      more = 0
    elseif first >= 0xC2 and first <= 0xDF then
      more = 1
    elseif first >= 0xE0 and first <= 0xEF then
      more = 2
    elseif first >= 0xF0 and first <= 0xF4 then
      more = 3
    else
      return false
    end
    if at + more > length then
      return false
    end
    -- Longer than need be, a surrogate, or beyond the last character.
    if first == 0xE0 and second < 0xA0
      or first == 0xED and second > 0x9F
      or first == 0xF0 and second < 0x90
      or first == 0xF4 and second > 0x8F then
      return false
    end
    for index = at + 1, at + more do
      local byte = bytes:byte(index)
      if byte < 0x80 or byte > 0xBF then
        return false
      end
    end
    at = at + 1 + more
  end
  return true
end

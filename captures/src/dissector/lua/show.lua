-- Fields to Wireshark's tree, and to words.

local show = {}

-- A part of a range; Wireshark has no empty one at the very end.
function show.part(range, at, length)
  if length == 0 then
    at = math.min(at, range:len() - 1)
  end
  return range(at, length)
end

-- What a typed key or value of a user header is, in words.
local function header_value(bytes, kind, made, range)
  local name, length = header_kinds[kind.v], made.len
  local raw = bytes:sub(made.at + 1, made.at + length)
  if name == "string" and numbers.is_utf8(raw) then
    return raw
  elseif name == "bool" and length == 1 and raw:byte() < 2 then
    return raw:byte() == 1 and "true" or "false"
  elseif (name == "int8" and length == 1) or (name == "int16" and length == 2) or (name == "int32" and length == 4) then
    return tostring(range:le_int())
  elseif name == "int64" and length == 8 then
    return tostring(range:le_int64())
  elseif (name == "float32" and length == 4) or (name == "float64" and length == 8) then
    return tostring(range:le_float())
  elseif name and name:find("^uint") and length * 8 == tonumber(name:sub(5)) then
    return numbers.decimal(bytes, made.at, length)
  end
  return "0x" .. raw:gsub(".", function(byte) return string.format("%02x", byte:byte()) end)
end

-- A text as it can be shown: an end of text within it would hide what follows.
local function printable(text)
  return (text:gsub("\0", "\\0"))
end

-- A field in words; nil where it has none.
function show.words(bytes, made)
  local p = made.p
  if p.t == "number" then
    return p.meanings and p.meanings[made.v] or numbers.decimal(bytes, made.at, p.w)
  elseif p.t == "kind" then
    return p.names[made.v] or tostring(made.v)
  elseif p.t == "flag" then
    return tostring(made.v)
  elseif made.text and p.what == "text" then
    return printable(made.text)
  elseif p.valued then
    for _, kid in ipairs(made.kids) do
      if kid.p.n == "value" then
        return show.words(bytes, kid)
      end
    end
  end
end

-- Adds fields of `range` to `tree`; `left` counts what may still be shown.
function show.fields(tree, range, bytes, fields, left)
  for index, made in ipairs(fields) do
    if left.items <= 0 then
      tree:add_proto_expert_info(experts.hidden, (#fields - index + 1) .. " more fields are not shown")
      return
    end
    left.items = left.items - 1
    show.field(tree, range, bytes, made, left)
  end
end

function show.field(tree, range, bytes, made, left)
  local p, here = made.p, show.part(range, made.at, made.len)
  local item
  if p.t == "number" then
    if p.w == 16 then
      item = tree:add(p.f, here, numbers.decimal(bytes, made.at, 16))
    else
      item = tree:add_le(p.f, here)
    end
    if p.meanings and p.meanings[made.v] then
      item:append_text(" (" .. p.meanings[made.v] .. ")")
    end
  elseif p.t == "float" or p.t == "kind" then
    item = tree:add_le(p.f, here)
  elseif p.t == "flag" then
    item = tree:add(p.f, here, made.v)
  elseif p.t == "header_field" then
    local kind, _, value = table.unpack(made.kids)
    local words = value and printable(header_value(bytes, kind, value, range(value.at, value.len)))
    item = tree:add(p.f, here, words or "")
  elseif made.text then
    item = tree:add(p.f, here, printable(made.text))
  elseif p.valued then
    item = tree:add(p.f, here, show.words(bytes, made) or "")
  else
    item = tree:add(p.f, here)
  end
  if p.what == "secret" or p.what == "secret_bytes" then
    item:add(F.secret, here, true):set_generated()
  end
  if p.n == "message" then
    show.message(item, bytes, made, left)
  end
  if made.kids then
    show.fields(item, range, bytes, made.kids, left)
  end
end

-- A message's line; in a record its offset stands as a difference, and is added up.
function show.message(item, bytes, made, left)
  local offset = left.offsets[made]
  if offset then
    item:append_text(", offset " .. tostring(offset))
    if kid(made, "header", "offset_delta") then
      item:add(F.message_offset, offset):set_generated()
    end
  end
  local payload = kid(made, "payload")
  if payload then
    item:append_text(", " .. payload.len .. " bytes")
  end
end

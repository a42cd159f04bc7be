-- Fields, and the parts that layouts are made of.

local iggy = Proto("iggy", "Apache Iggy")
local registered = {}
local part = {}

-- A ProtoField; the same abbreviation is the same field.
local field
do
  local known = {}
  function field(make, abbr, name, ...)
    if not known[abbr] then
      local label = name:gsub("_", " "):gsub("^%l", string.upper)
      known[abbr] = make(abbr, label, ...)
      registered[#registered + 1] = known[abbr]
    end
    return known[abbr]
  end
end

local NUMBERS = {
  [1] = ProtoField.uint8,
  [2] = ProtoField.uint16,
  [4] = ProtoField.uint32,
  [8] = ProtoField.uint64,
  [16] = ProtoField.string, -- no integer of Wireshark is that wide: decimal digits
}

function part.number(name, abbr, width)
  return { t = "number", n = name, w = width, f = field(NUMBERS[width], abbr, name) }
end

function part.exact(name, abbr, width, value)
  local made = part.number(name, abbr, width)
  made.exact = value
  return made
end

function part.at_most(name, abbr, most)
  local made = part.number(name, abbr, 4)
  made.most = most
  return made
end

function part.meaning(name, abbr, meanings)
  local made = part.number(name, abbr, 4)
  made.meanings = meanings
  return made
end

function part.float(name, abbr)
  return { t = "float", n = name, f = field(ProtoField.float, abbr, name) }
end

function part.flag(name, abbr, one)
  return { t = "flag", n = name, one = one, f = field(ProtoField.bool, abbr, name) }
end

function part.kind(name, abbr, names, closed)
  local made = field(ProtoField.uint8, abbr, name, base.DEC, names)
  return { t = "kind", n = name, names = names, closed = closed, f = made }
end

function part.fixed(name, abbr, length, zero)
  return { t = "fixed", n = name, length = length, zero = zero, f = field(ProtoField.bytes, abbr, name) }
end

-- `content` is "text", "secret", "secret_bytes" or "bytes".
local function content(name, abbr, what)
  local make = (what == "text" or what == "secret") and ProtoField.string or ProtoField.bytes
  local label = what:find("^secret") and name .. " (secret)" or name
  return { t = "content", n = name, what = what, f = field(make, abbr, label) }
end

function part.sized(length, length_abbr, width, name, abbr, what, at_least)
  return {
    t = "sized",
    length = part.number(length, length_abbr, width),
    content = content(name, abbr, what),
    at_least = at_least,
  }
end

function part.rest(name, abbr, what)
  return { t = "rest", content = content(name, abbr, what) }
end

function part.group(name, abbr, parts)
  return { t = "group", n = name, parts = parts, f = field(ProtoField.none, abbr, name) }
end

-- A group that stands for the value in it.
function part.valued(name, abbr, parts)
  return { t = "group", n = name, parts = parts, f = field(ProtoField.string, abbr, name), valued = true }
end

function part.sized_group(length, length_abbr, group)
  return { t = "sized_group", length = part.number(length, length_abbr, 4), group = group }
end

-- `count` names a number before it; nil: to the end.
function part.list(name, abbr, count, element)
  return { t = "list", n = name, count = count, element = element, f = field(ProtoField.none, abbr, name) }
end

function part.chain(follow, list, element)
  return { t = "chain", follow = follow, list = list, element = element }
end

function part.union(kind, cases)
  return { t = "union", kind = kind, cases = cases }
end

function part.if_flag(flag, parts)
  return { t = "if_flag", flag = flag, parts = parts }
end

function part.if_more(parts, required, from)
  return { t = "if_more", parts = parts, required = required, from = from }
end

function part.if_zero(zero, other)
  return { t = "if_zero", zero = zero, other = other }
end

function part.partition(flag, id, after)
  return { t = "partition", flag = flag, id = id, after = after }
end

local header_kinds -- set by the tables

function part.header_field(name, abbr)
  return {
    t = "header_field",
    kind = part.kind("kind", abbr .. ".kind", header_kinds),
    length = part.number("length", abbr .. ".length", 4),
    content = content("value", abbr .. ".bytes", "bytes"),
    n = name,
    f = field(ProtoField.string, abbr, name),
  }
end

local function user_header(abbr)
  return part.group("user_header", abbr, {
    part.header_field("key", abbr .. ".key"),
    part.header_field("value", abbr .. ".value"),
  })
end

function part.options(name, abbr, length)
  return { t = "options", length = length, list = part.list(name, abbr, nil, { user_header("iggy.option") }) }
end

function part.messages(sent)
  return { t = "messages", sent = sent }
end

function part.frames(name, abbr, element)
  return { t = "frames", list = part.list(name, abbr, "message_count", element) }
end

function part.message_content()
  return {
    t = "message_content",
    payload = content("payload", "iggy.message.payload", "bytes"),
    headers = part.list("user_headers", "iggy.message.user_headers", nil, { user_header("iggy.user_header") }),
    opaque = content("user_headers", "iggy.message.user_headers.bytes", "bytes"),
  }
end

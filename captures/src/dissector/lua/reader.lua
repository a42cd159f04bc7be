-- Bytes to fields, by the parts of a layout. A field is { p = part, at =, len =, v = value,
-- kids = fields within it }.

local Reader = {}
Reader.__index = Reader

-- Raised where bytes are not what the layout says; anything else is a fault of this file.
local function refuse(reader, why)
  error({ at = reader.at, why = why })
end

function Reader.new(bytes, dialect)
  local fields = {}
  return setmetatable({
    bytes = bytes, at = 0, stop = #bytes, dialect = dialect,
    fields = fields, scopes = { fields }, made = 0,
    outside = {}, -- numbers that another reader has read
  }, Reader)
end

-- Reads parts; nil, or why and where it could not.
function Reader:try(parts)
  local read, failure = pcall(self.parts, self, parts)
  if read then
    return nil
  end
  if type(failure) ~= "table" then
    error(failure, 0)
  end
  return failure
end

-- Reads parts that fill the bytes.
function Reader:fill(parts)
  local failure = self:try(parts)
  if not failure and self.at < self.stop then
    failure = { at = self.at, why = (self.stop - self.at) .. " bytes are left over" }
  end
  return failure
end

function Reader:take(length, name)
  if self.stop - self.at < length then
    refuse(self, name .. " is cut short: " .. length .. " bytes, of which " .. (self.stop - self.at) .. " are here")
  end
  local at = self.at
  self.at = at + length
  return at
end

function Reader:push(p, at, value)
  self.made = self.made + 1
  if self.made > LIMITS.fields then
    error({ at = self.at, why = "more than " .. LIMITS.fields .. " fields; the rest is not read", limit = true })
  end
  local made = { p = p, at = at, len = self.at - at, v = value }
  local scope = self.scopes[#self.scopes]
  scope[#scope + 1] = made
  return made
end

function Reader:nested(p, inner)
  local made = self:push(p, self.at)
  made.kids = {}
  self.scopes[#self.scopes + 1] = made.kids
  local read, failure = pcall(inner)
  self.scopes[#self.scopes] = nil
  made.len = self.at - made.at
  if not read then
    error(failure, 0)
  end
  return made
end

function Reader:within(length, name, inner)
  if self.stop - self.at < length then
    refuse(self, name .. " is cut short: " .. length .. " bytes, of which " .. (self.stop - self.at) .. " are here")
  end
  local outer = self.stop
  self.stop = self.at + length
  inner()
  if self.at ~= self.stop then
    refuse(self, name .. " does not fill its length")
  end
  self.stop = outer
end

local function find_in(fields, name)
  for index = #fields, 1, -1 do
    local made = fields[index]
    if made.p.n == name and made.v ~= nil then
      return made.v
    end
    if made.kids and made.p.t == "group" then
      local found = find_in(made.kids, name)
      if found ~= nil then
        return found
      end
    end
  end
end

-- The number or flag of this name that was read last, in the same group or around it.
function Reader:find(name)
  for index = #self.scopes, 1, -1 do
    local found = find_in(self.scopes[index], name)
    if found ~= nil then
      return found
    end
  end
  return self.outside[name]
end

function Reader:parts(parts)
  for _, p in ipairs(parts) do
    self[p.t](self, p)
  end
end

function Reader:elements(count, parts)
  local done = 0
  while count and done < count or not count and self.at < self.stop do
    local before = self.at
    self:parts(parts)
    if self.at == before then
      refuse(self, "an element without a byte")
    end
    done = done + 1
  end
end

function Reader:number(p)
  local at = self:take(p.w, p.n)
  local value = p.w <= 8 and numbers.small(self.bytes, at, p.w) or 0
  self:push(p, at, value)
  if p.exact and (value ~= p.exact) then
    refuse(self, p.n .. " is not " .. p.exact)
  end
  if p.most and value > p.most then
    refuse(self, p.n .. " is above " .. p.most)
  end
  return value
end

function Reader:float(p)
  self:push(p, self:take(4, p.n))
end

function Reader:flag(p)
  local at = self:take(1, p.n)
  local byte = self.bytes:byte(at + 1)
  local value = byte == 1 or not p.one and byte ~= 0
  self:push(p, at, value)
  return value
end

function Reader:kind(p)
  local at = self:take(1, p.n)
  local value = self.bytes:byte(at + 1)
  self:push(p, at, value)
  if p.closed and not p.names[value] then
    refuse(self, p.n .. " " .. value .. " is not known")
  end
  return value
end

function Reader:fixed(p)
  local at = self:take(p.length, p.n)
  self:push(p, at)
  if p.zero and not numbers.is_zero(self.bytes, at, self.at) then
    refuse(self, p.n .. " is not empty")
  end
end

function Reader:content(p, length)
  local at = self:take(length, p.n)
  local made = self:push(p, at)
  if p.what == "text" or p.what == "secret" then
    local text = self.bytes:sub(at + 1, at + length)
    if not numbers.is_utf8(text) then
      refuse(self, p.n .. " is not UTF-8")
    end
    made.text = text
  end
end

function Reader:sized(p)
  local length = self:number(p.length)
  if length < p.at_least then
    refuse(self, p.content.n .. " is empty")
  end
  self:content(p.content, length)
end

function Reader:rest(p)
  if self.at < self.stop then
    self:content(p.content, self.stop - self.at)
  end
end

function Reader:group(p)
  return self:nested(p, function() self:parts(p.parts) end)
end

function Reader:sized_group(p)
  local length = self:number(p.length)
  self:within(length, p.group.n, function() self:group(p.group) end)
end

function Reader:list(p)
  local count = p.count and self:find(p.count)
  return self:nested(p, function() self:elements(count, p.element) end)
end

function Reader:chain(p)
  local more = self:flag(p.follow)
  self:nested(p.list, function()
    while more do
      local element = self:group(p.element)
      more = element.kids[#element.kids].v
    end
  end)
end

function Reader:union(p)
  local number = self:kind(p.kind)
  self:parts(p.cases[number])
end

function Reader:if_flag(p)
  if self:find(p.flag) then
    self:parts(p.parts)
  end
end

function Reader:if_more(p)
  if self.at < self.stop or p.required and self:find(p.required) >= p.from then
    self:parts(p.parts)
  end
end

function Reader:if_zero(p)
  local byte = self.bytes:byte(self:take(1, "flag") + 1)
  self.at = self.at - 1
  self:parts(byte == 0 and p.zero or p.other)
end

function Reader:partition(p)
  if self.stop - self.at ~= 4 + p.after then
    self:flag(p.flag)
  end
  self:number(p.id)
end

function Reader:header_field(p)
  return self:nested(p, function()
    if self:kind(p.kind) == 0 then
      refuse(self, "header kind 0 is not known")
    end
    local length = self:number(p.length)
    if length < 1 or length > 255 then
      refuse(self, "a header field of " .. length .. " bytes")
    end
    self:content(p.content, length)
  end)
end

function Reader:options(p)
  local length = p.length and self:number(p.length) or self.stop - self.at
  local list
  self:within(length, p.list.n, function() list = self:list(p.list) end)
  local keys = {}
  for _, header in ipairs(list.kids) do
    local kind, _, value = table.unpack(header.kids[1].kids)
    local key = self.bytes:sub(value.at + 1, value.at + value.len)
    if kind.v ~= STRING_KIND or not numbers.is_utf8(key) or keys[key] then
      refuse(self, "an option whose key is no text, or comes twice")
    end
    keys[key] = true
  end
  if #list.kids > 1024 or length > 100000 then
    refuse(self, "more options than any server takes")
  end
end

function Reader:frames(p)
  local length = self:find("batch_length") - 256
  if length <= 0 or self:find("message_count") == 0 then
    refuse(self, "a batch record without messages")
  end
  self:within(length, p.list.n, function() self:list(p.list) end)
end

function Reader:message_content(p)
  local length = self:find("user_headers_length")
  self:content(p.payload, self:find("payload_length"))
  local start, scope, made = self.at, self.scopes[#self.scopes], self.made
  local here, stop = #scope, self.stop
  if length > 0 and stop - start >= length then
    local read, failure = pcall(self.within, self, length, "user headers", function() self:list(p.headers) end)
    if read then
      return
    end
    if type(failure) ~= "table" then
      error(failure, 0)
    end
    -- A client may have encrypted them.
    scope[here + 1] = nil
    self.at, self.stop, self.made = start, stop, made
  end
  self:content(p.opaque, length)
end

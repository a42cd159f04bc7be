-- In which of its layouts a body's messages are: the one that they fill, in which they are
-- as many as was said and, in a reply, their offsets rise. Where two fit, nothing tells.

local function each_message(fields, take, record)
  for _, made in ipairs(fields) do
    if made.p.n == "message" then
      take(made, record)
    elseif made.kids and made.p.n ~= "index" then
      each_message(made.kids, take, made.p.n == "batch" and made or record)
    end
  end
end

local function kid(made, ...)
  for _, name in ipairs({ ... }) do
    local found
    for _, one in ipairs(made and made.kids or {}) do
      if one.p.n == name then
        found = one
      end
    end
    made = found
  end
  return made
end

local function u64_of(bytes, made)
  return made and made.len == 8 and numbers.u64(bytes, made.at) or UInt64.new(0, 0)
end

-- A message's offset; in a record it stands as a difference.
local function offset_of(bytes, message, record)
  local offset = kid(message, "header", "offset")
  if offset then
    return u64_of(bytes, offset)
  end
  local base, delta = kid(record, "header", "base_offset"), kid(message, "header", "offset_delta")
  return u64_of(bytes, base) + UInt64.new(delta and delta.v or 0, 0)
end

-- What one layout makes of the messages.
local function try(reader, layout, count, polled)
  local mine = Reader.new(reader.bytes, reader.dialect)
  mine.at, mine.stop, mine.made = reader.at, reader.stop, reader.made
  mine.outside = { count = count }
  local fit = { layout = layout, reader = mine, messages = 0, rises = true, counts_on = true }
  fit.failure = mine:fill(layout.parts)
  local last
  each_message(mine.fields, function(message, record)
    local offset = offset_of(mine.bytes, message, record)
    if last then
      fit.rises = fit.rises and last < offset
      fit.counts_on = fit.counts_on and last + UInt64.new(1, 0) == offset
    end
    last = offset
    fit.messages = fit.messages + 1
  end)
  if not fit.failure and fit.messages ~= count then
    fit.failure = { at = mine.at, why = count .. " messages were announced, " .. fit.messages .. " are here" }
  end
  fit.tiles = not fit.failure
  fit.rises = fit.rises or not polled
  fit.counts_on = fit.counts_on and fit.messages > 1
  return fit
end

-- A single message of the 56-byte layout that may as well be one of 64 without its end.
local function may_be_cut(reader, fit, start)
  local from = reader.at + start + 56
  return fit.layout.name == "headers_56"
    and fit.messages == 1
    and numbers.is_zero(reader.bytes, from, math.min(from + 8, reader.stop))
end

-- Messages that may as well be a record without its end.
local function may_begin_record(reader, count)
  local from = reader.at + 52
  return from <= reader.stop
    and numbers.u32(reader.bytes, from - 4) == count
    and numbers.is_zero(reader.bytes, from, math.min(reader.at + 256, reader.stop))
end

local function choose(reader, fits, count)
  local usual = fits[1]
  local function cut(fit)
    local start = #fit.layout.parts > 1 and 16 * count or 0
    return may_be_cut(reader, fit, start)
  end
  if usual.tiles and usual.rises and not cut(usual) then
    for index = 2, #fits do
      if usual.messages > 1 and fits[index].tiles and fits[index].rises then
        return nil
      end
    end
    return usual
  end
  local has_records = usual.layout.name == "batches"
  for _, rises in ipairs({ true, false }) do
    local fitting = {}
    for _, fit in ipairs(fits) do
      if fit.tiles and (fit.rises or not rises) then
        fitting[#fitting + 1] = fit
      end
    end
    if #fitting == 1 and not cut(fitting[1]) and not (has_records and may_begin_record(reader, count)) then
      return fitting[1]
    end
    if #fitting > 0 then
      return nil
    end
  end
  -- The body is damaged: what can be read of it is, in the layout that finds most.
  for _, fit in ipairs(fits) do
    if fit.counts_on then
      return fit
    end
  end
  return usual
end

function Reader:messages(p)
  local layouts = (p.sent and tables.sent or tables.polled)[self.dialect]
  local count = self:find("count")
  local fits = {}
  for index, layout in ipairs(layouts) do
    -- Without a message nothing tells the layout, and nothing depends on it.
    if self.at < self.stop or layout.name == "headers_64" then
      fits[#fits + 1] = try(self, layout, count, not p.sent)
    end
  end
  local chosen = choose(self, fits, count)
  if not chosen then
    refuse(self, "the messages fit more than one layout, and nothing tells which is right")
  end
  local scope = self.scopes[#self.scopes]
  for _, made in ipairs(chosen.reader.fields) do
    scope[#scope + 1] = made
  end
  self.at, self.made, self.layout = chosen.reader.at, chosen.reader.made, chosen.layout.name
  if chosen.failure then
    error(chosen.failure)
  end
end

-- The fields of a body that has one of several layouts, and why it has none.
local function read_body(bytes, dialect, layouts)
  local fitting, newest = {}, nil
  for _, parts in ipairs(layouts) do
    local reader = Reader.new(bytes, dialect)
    reader.failure = reader:fill(parts)
    newest = newest or reader
    if not reader.failure then
      fitting[#fitting + 1] = reader
    end
  end
  if #fitting == 1 then
    return fitting[1]
  end
  if #fitting > 1 then
    local reader = Reader.new(bytes, dialect)
    reader.failure = { at = 0, why = "the body fits two layouts, and nothing tells which is right" }
    return reader
  end
  return newest
end

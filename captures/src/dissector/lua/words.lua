-- A frame in one line. No password or token is ever in it.

local words = {}

-- The words of the first of these fields that there is.
local function word(reader, ...)
  for _, name in ipairs({ ... }) do
    for _, made in ipairs(reader.fields) do
      if made.p.n == name then
        return show.words(reader.bytes, made)
      end
    end
  end
end

-- stream/topic/partition, as far as they are named.
local function place(reader)
  local stream = word(reader, "stream")
  if not stream then
    return nil
  end
  local names = { stream, word(reader, "topic") }
  local given, partition
  for _, made in ipairs(reader.fields) do
    if made.p.n == "partition_given" then
      given = made
    elseif made.p.n == "partition_id" then
      partition = made
    end
  end
  if given and not given.v or partition and not given and partition.v == 0 and word(reader, "consumer") then
    names[#names + 1] = "…"
  elseif partition then
    names[#names + 1] = tostring(partition.v)
  end
  return table.concat(names, "/")
end

local function consumer(reader)
  for _, made in ipairs(reader.fields) do
    if made.p.n == "consumer" then
      local kind, id = kid(made, "kind"), kid(made, "id")
      return kind and id and show.words(reader.bytes, kind) .. " " .. (show.words(reader.bytes, id) or "?")
    end
  end
end

function words.request(name, reader)
  local line = { name, place(reader) }
  line[#line + 1] = word(reader, "user", "username")
  line[#line + 1] = word(reader, "group")
  line[#line + 1] = word(reader, "name")
  line[#line + 1] = consumer(reader)
  local strategy = word(reader, "strategy")
  if strategy then
    line[#line + 1] = strategy
    if strategy == "offset" or strategy == "timestamp" then
      line[#line + 1] = word(reader, "value")
    end
  end
  for _, field_name in ipairs({ "offset", "count", "partitions_count", "segments_count" }) do
    local value = word(reader, field_name)
    if value then
      line[#line + 1] = field_name:gsub("_", " ") .. " " .. value
    end
  end
  return table.concat(line, " ")
end

function words.reply(name, reader, offsets)
  local line = {}
  local partition = word(reader, "partition_id")
  if partition then
    line[#line + 1] = "partition " .. partition
  end
  for _, field_name in ipairs({ "current_offset", "stored_offset", "count" }) do
    local value = word(reader, field_name)
    if value then
      line[#line + 1] = field_name:gsub("_", " ") .. " " .. value
    end
  end
  if offsets.first then
    line[#line + 1] = "offsets " .. tostring(offsets.first) .. " to " .. tostring(offsets.last)
  end
  return name .. ": " .. (#line > 0 and table.concat(line, ", ") or "ok")
end

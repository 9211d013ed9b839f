-- Fires what is due: takes it out of the due instants, appends it to the delivered list and to the
-- event stream, and lets the oldest delivered records go where there are more than are kept.
local now, batch, kept = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local due = redis.call('ZRANGEBYSCORE', 'due', '-inf', now, 'LIMIT', 0, batch)
if #due == 0 then
    return 0
end
redis.call('ZREM', 'due', unpack(due))
local first = redis.call('INCRBY', 'deliveries', #due) - #due
local scores = {}
for place, identifier in ipairs(due) do
    scores[#scores + 1] = first + place
    scores[#scores + 1] = identifier
    redis.call('XADD', 'events', 'MAXLEN', '~', 190000, '*', 'delivered', identifier)
end
redis.call('ZADD', 'delivered', unpack(scores))
local surplus = redis.call('ZCARD', 'delivered') - kept
if surplus > 0 then
    local oldest = redis.call('ZPOPMIN', 'delivered', surplus)
    local gone = {}
    for place = 1, #oldest, 2 do
        gone[#gone + 1] = oldest[place]
    end
    redis.call('HDEL', 'requests', unpack(gone))
end
return #due

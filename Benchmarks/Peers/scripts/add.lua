-- Adds a request: its record, its due instant and, once for each idempotency key, nothing more.
local identifier, due, body, key = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
if key ~= '' and not redis.call('SET', 'key:' .. key, identifier, 'NX', 'EX', 86400) then
    return 0
end
redis.call('HSET', 'requests', identifier, body)
redis.call('ZADD', 'due', due, identifier)
return 1

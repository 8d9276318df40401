/** The columns of tokens in CSV. */
export const TOKEN_COLUMNS = [
  'token_id',
  'user_id',
  'description',
  'scopes',
  'allowed_ip_ranges',
  'created_by',
  'create_time',
  'expires_at',
  'last_used_time',
  'models',
  'requests_per_minute',
  'tokens_per_minute',
  'max_parallel_requests',
  'cost_centre',
  'cache_ttl_seconds',
] as const;

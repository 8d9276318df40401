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
] as const;

/** A user as they see themselves, and as administrators see them. */
export const userAnswer = {
  type: 'object',
  required: ['user_id', 'email', 'first_name', 'last_name', 'groups', 'enabled', 'create_time', 'last_sign_in_time'],
  properties: {
    user_id: { type: 'string' },
    email: { type: 'string' },
    first_name: { type: 'string' },
    last_name: { type: 'string' },
    groups: { type: 'array', items: { type: 'string' } },
    enabled: { type: 'boolean' },
    create_time: { type: 'integer', description: 'Epoch seconds' },
    last_sign_in_time: { type: ['integer', 'null'], description: 'Epoch seconds' },
  },
} as const;

const text = { type: 'string' } as const;

export const botAnswer = {
  type: 'object',
  required: [
    'id',
    'owner_user_id',
    'title',
    'description',
    'instruction',
    'shared_scope',
    'status',
    'sync_status',
    'create_time',
    'version',
  ],
  properties: {
    id: text,
    owner_user_id: text,
    title: text,
    description: text,
    instruction: text,
    shared_scope: { enum: ['private', 'partial', 'all'] },
    status: { type: 'string', description: 'unshared, shared, or pinned@NNN' },
    sync_status: { enum: ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED'] },
    create_time: { type: 'integer', description: 'Epoch seconds' },
    version: { type: 'integer', description: 'Of the bot, counted from 1; in quotes it is the ETag' },
  },
} as const;

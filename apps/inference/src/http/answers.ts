const text = { type: 'string' } as const;

export const acceptedAnswer = {
  type: 'object',
  required: ['conversation_id', 'message_id'],
  properties: { conversation_id: text, message_id: { type: 'string', description: 'ID of the reply.' } },
} as const;

export const messageAnswer = {
  type: 'object',
  required: ['conversation_id', 'message', 'create_time', 'status'],
  properties: {
    conversation_id: text,
    message: {
      type: 'object',
      required: ['message_id', 'role', 'content', 'model', 'parent'],
      properties: {
        message_id: text,
        role: { enum: ['user', 'assistant'] },
        content: {
          type: 'array',
          items: { type: 'object', required: ['content_type', 'body'], properties: { content_type: { const: 'text' }, body: text } },
        },
        model: text,
        parent: { type: ['string', 'null'] },
      },
    },
    create_time: { type: 'number', description: 'Start of the conversation in epoch seconds.' },
    status: { enum: ['completed', 'failed'] },
    error: { type: 'object', required: ['code', 'message'], properties: { code: text, message: text } },
  },
} as const;

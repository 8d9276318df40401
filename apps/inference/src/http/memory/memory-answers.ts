import { nameSchemas } from '@parlance/openapi';
import { z } from 'zod';
import { MAX_MEMORY_TEXT } from '../../domain/memory/memory-limits.ts';

export const MemoryEntry = z.object({
  memory_id: z.string(),
  text: z.string().max(MAX_MEMORY_TEXT),
  added_by: z.enum(['user', 'model']),
  conversation_id: z.string().nullable().describe('The conversation in which a model has added it. Null if the user has added it.'),
  message_id: z.string().nullable().describe('The reply in which a model has added it. Null if the user has added it.'),
  create_time: z.number().describe('In epoch seconds.'),
  last_change_time: z.number().describe('In epoch seconds.'),
});
export type MemoryEntry = z.infer<typeof MemoryEntry>;

export const MemoryEntriesAnswer = z.object({ memories: z.array(MemoryEntry), next_token: z.string().nullable() });
export type MemoryEntriesAnswer = z.infer<typeof MemoryEntriesAnswer>;

export const MemorySettings = z.object({
  enabled: z.boolean().describe('Whether the user has turned the memory on.'),
  allowed: z.boolean().describe('False if administrators have switched off the memory. Then it is not used, even if `enabled` is true.'),
});
export type MemorySettings = z.infer<typeof MemorySettings>;

nameSchemas({ MemoryEntry, MemoryEntryPage: MemoryEntriesAnswer, MemorySettings });

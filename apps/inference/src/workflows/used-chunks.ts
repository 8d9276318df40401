import type { Knowledge } from '@parlance/chat-models';
import type { Subject, Vault } from '@parlance/privacy';
import type { UsedChunks } from '../domain/conversation-events.ts';
import type { CallGuardrails } from './guardrails/call-guardrails.ts';

/** The chunks that a reply shows, sealed. Null if it shows none. */
export async function usedChunks(
  vault: Vault,
  subject: Subject,
  knowledge: Knowledge | null,
  guardrails: Pick<CallGuardrails, 'shown'> | null,
): Promise<UsedChunks | null> {
  if (!knowledge?.showsSources || knowledge.chunks.length === 0) return null;
  const chunks = (await guardrails?.shown(knowledge.chunks)) ?? knowledge.chunks;
  const sourceIds = [...new Set(chunks.map(({ source_id }) => source_id))];
  return { content: await vault.sealJson(subject, chunks), sourceIds };
}

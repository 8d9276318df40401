import type { ModelEntry } from '@parlance/config';

/** Capabilities of models that cannot chat. Such a model is called only at the endpoints for what it can do. */
const OTHER_KINDS = ['embedding', 'rerank', 'moderation', 'image_generation', 'speech', 'transcription'] as const;
export type ModelKind = 'chat' | (typeof OTHER_KINDS)[number];

/** What a model is called for. `defaultEmbedding`: the model that searches knowledge. */
export function kindsOf({ id, capabilities }: ModelEntry, defaultEmbedding: string | null): readonly ModelKind[] {
  const kinds = OTHER_KINDS.filter((kind) => capabilities.includes(kind) || (kind === 'embedding' && id === defaultEmbedding));
  return kinds.length === 0 ? ['chat'] : kinds;
}

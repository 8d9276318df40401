import type { AvailableModels, Model } from '@parlance/client/types';
import type { AvailableModel } from '../model-fields/model-draft.ts';

/** Capabilities of models that do not chat. */
const OTHER_KINDS: ReadonlySet<string> = new Set(['embedding', 'rerank', 'moderation', 'image_generation', 'speech', 'transcription']);

export const isForChat = ({ capabilities }: Pick<Model, 'capabilities'>): boolean => !capabilities.some((word) => OTHER_KINDS.has(word));

/** The models that a chat can begin with. */
export const chatIds = (models: readonly Model[]): ReadonlySet<string> =>
  new Set(models.filter((model) => model.available && isForChat(model)).map(({ id }) => id));

/** The models that a provider lists. Without a list, those of the catalogue that it has, such as the built-in ones of Amazon Bedrock. */
export function listedOrKnown(
  { models: listed }: AvailableModels,
  models: readonly Model[],
  providerId: string,
): readonly AvailableModel[] {
  if (listed.length > 0) return listed;
  const known = models.filter(({ provider }) => provider === providerId);
  return known.map(({ id, name, model, context_window }) => ({ model, name, context_window, model_ids: [id], suggestion: null }));
}

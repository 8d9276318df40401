import { isMap } from '../source/dynamo-item.ts';
import type { Note } from './note.ts';

/** The only element in the list of a bot that may use no model. An empty list would mean all models. */
const NO_MODEL = 'no-active-model';

/** The source stores models as fields, so their names have underscores. */
const fieldOf = (model: string): string => model.replaceAll(/[-.]/g, '_');

/**
 * The models that a bot is limited to; empty for a bot without a limit. Most models have other names in the source. Names that are unknown here
 * stay in the list, so that the bot does not get models that it was not allowed to use.
 */
export function activeModelsOf(raw: unknown, offered: readonly string[], notes: Note[]): readonly string[] {
  const models = isMap(raw) ? Object.entries(raw) : [];
  if (models.every(([, isActive]) => isActive === true)) return [];
  const active = models.filter(([, isActive]) => isActive === true).map(([field]) => field);
  const ids = new Map(offered.map((id) => [fieldOf(id), id]));
  const available = active.flatMap((field) => ids.get(field) ?? []);
  const missing = active.filter((field) => !ids.has(field));
  const instead = available.length > 0 ? `The bot has only ${available.join(', ')}` : 'The bot is inactive';
  if (missing.length > 0 || active.length === 0)
    notes.push({
      reason: 'active_models_not_here',
      detail: `${missing.join(', ') || 'none is active'}: ${instead} until its owner chooses from the models of this installation.`,
    });
  const remaining = [...available, ...missing];
  return remaining.length > 0 ? remaining : [NO_MODEL];
}

import { BotRules } from '@parlance/bots';
import { type Config, wholeCatalogue } from '@parlance/config';
import type { Offered } from './mapping/bot.ts';

/** Reads the configuration only, so that a dry run and a run have the same result. */
export function offeredBy(config: Config): Offered {
  const { models: configured, globalAvailableModels: allowed, retrievers } = config;
  const ids = wholeCatalogue(configured).models.map(({ id }) => id);
  const bases = Object.entries(retrievers).flatMap(([name, { knowledge_base_id: id }]) => (id === null ? [] : [[id, name] as const]));
  const rules = new BotRules(config);
  return {
    models: allowed.length === 0 ? ids : ids.filter((id) => allowed.includes(id)),
    bases: new Map(bases),
    faultsOf: (body) => rules.faultsOf(body),
  };
}

import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { InstallationOffers, offersTool } from '../adapters/installation-offers.ts';
import type { BotSettings } from '../domain/configuration.ts';

type Named = Partial<Pick<BotSettings, 'active_models' | 'default_model' | 'tools'>>;

/** Checks that this installation offers the models and tools that a bot will name. */
@Injectable()
export class OfferChecks {
  constructor(private readonly offers: InstallationOffers) {}

  /**
   * A bot may keep models and tools that it already names, even if they are no longer offered. Throws the refusals `model_not_available` and
   * `tool_not_available` (invalid), and `unavailable` if inference is needed and does not answer.
   */
  async require(given: Named, before: Required<Named>): Promise<void> {
    const active = (given.active_models ?? []).filter((model) => !before.active_models.includes(model));
    const usual = given.default_model && given.default_model !== before.default_model ? [given.default_model] : [];
    const present = new Set(before.tools.map(({ name }) => name));
    const tools = (given.tools ?? []).map(({ name }) => name).filter((name) => !present.has(name));
    if (active.length + usual.length + tools.length === 0) return;
    const offers = await this.offers.current();
    const isUnknown = (model: string) => !offers.models.includes(model);
    requireNone('model', 'active_models', active.filter(isUnknown));
    requireNone('model', 'default_model', usual.filter(isUnknown));
    requireNone(
      'tool',
      'tools',
      tools.filter((name) => !offersTool(offers, name)),
    );
  }
}

function requireNone(kind: 'model' | 'tool', path: string, unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  const message = `This installation has no ${kind} ${unknown.join(', ')}.` as const;
  throw refuse('invalid', `${kind}_not_available`, message, {
    errors: unknown.map((name) => ({ path, message: `must not contain ${name}` })),
  });
}

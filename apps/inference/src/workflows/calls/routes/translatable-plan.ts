import { Refusal } from '@parlance/decider';
import { readJson } from '@parlance/http';
import type { CallFormat } from '../../../adapters/calls/call-formats.ts';
import type { CallBody } from '../../../adapters/calls/caller-body.ts';
import { translatedRequest } from '../../../adapters/calls/translated/translated-call.ts';
import type { CallPlan, PlannedTarget } from './call-plans.ts';

/**
 * The plan without the targets that the request cannot be translated for. Throws the refusals `unsupported_parameter` and `invalid_body` (invalid) if
 * none remains.
 */
export async function translatable(plan: CallPlan, format: CallFormat, body: CallBody): Promise<CallPlan> {
  if (!plan.targets.some(isTranslated) && !plan.fallbacks.some(isTranslated)) return plan;
  const json = await readJson(body.bytes);
  let refusal: Refusal | undefined;
  const able = async (targets: readonly PlannedTarget[]): Promise<readonly PlannedTarget[]> => {
    const kept: PlannedTarget[] = [];
    for (const target of targets) {
      const why = await refusalOf(target, format, json);
      refusal ??= why ?? undefined;
      if (why === null) kept.push(target);
    }
    return kept;
  };
  const remaining = { ...plan, targets: await able(plan.targets), fallbacks: await able(plan.fallbacks) };
  if (refusal && remaining.targets.length + remaining.fallbacks.length === 0) throw refusal;
  return remaining;
}

const isTranslated = ({ provider }: PlannedTarget): boolean => provider !== null && 'translated' in provider;

async function refusalOf({ provider }: PlannedTarget, format: CallFormat, json: unknown): Promise<Refusal | null> {
  if (provider === null || !('translated' in provider)) return null;
  try {
    await translatedRequest(provider.translated, format, json);
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

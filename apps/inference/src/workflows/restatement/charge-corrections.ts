import { Injectable } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Instant, refuse } from '@parlance/decider';
import { Clock, Streams } from '@parlance/foundation';
import { ExecuteRestatements } from '../../commands/aggregates.ts';
import { lastCompleted, restatements, RESTATEMENTS_STREAM } from '../../domain/restatement/restatement.ts';
import { SuspiciousCharge, type SuspiciousChargeRow } from '../../projections/restatement/suspicious-charges.ts';
import { correctedCost } from './restated-charges.ts';

/** Corrects the cost of individual charges whose reported tokens are suspicious. */
@Injectable()
export class ChargeCorrections {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusals `charge_not_found` (missing), `restatement_running` and `too_many_corrected_charges` (conflict). */
  async correct(chargeId: string, costNanoDollars: number): Promise<SuspiciousChargeRow> {
    const charge = await this.charge(chargeId);
    const { at, position, user_id: userId, bot_id: botId, api, call, model, usage, units, budgets, nano_dollars: asBilled } = charge;
    const state = await this.streams.load(restatements, RESTATEMENTS_STREAM);
    const earlier = units === null && Object.hasOwn(state.restated, model) ? state.restated[model]! : [];
    const before = correctedCost(earlier, { usage, at, position, asBilled });
    const hour = Instant.toString(at).slice(0, 13);
    const attribution = { hour, userId, botId, ...(api && { api: { apiId: api.apiId, keyId: api.keyId } }), ...(call && { call }), model };
    const cost = { asBilled, before, costNanoDollars };
    const command = {
      type: 'CorrectCharge',
      chargeId,
      place: attribution,
      ...(budgets && { budgets }),
      number: lastCompleted(state),
      ...cost,
      now: this.clock.now(),
    } as const;
    await this.commands.execute(new ExecuteRestatements(command));
    return this.charge(chargeId);
  }

  private async charge(id: string): Promise<SuspiciousChargeRow> {
    const charge = await this.queries.execute(new SuspiciousCharge(id));
    if (!charge) throw refuse('missing', 'charge_not_found', 'There is no suspicious charge with this ID.');
    return charge;
  }
}

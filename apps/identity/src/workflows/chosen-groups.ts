import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Streams } from '@parlance/foundation';
import type { Caller } from '@parlance/http';
import { requireSession } from '../domain/credentials/step-up.ts';
import { findGroupName, groups as groupsDecider, groupsStream } from '../domain/groups.ts';
import { People } from '../projections/people.ts';
import { SecondFactors } from './factors/second-factors.ts';

/** Groups that an administrator chooses for a new user. */
@Injectable()
export class ChosenGroups {
  constructor(
    private readonly streams: Streams,
    private readonly factors: SecondFactors,
    private readonly people: People,
  ) {}

  /** Their stored names. Throws the refusals `group_unknown`, and `step_up_required` and `token_not_allowed` for Admin. */
  async require(called: readonly string[], caller: Caller): Promise<string[]> {
    const known = await this.find(called);
    const unknown = called.find((_, at) => known[at] === null);
    if (unknown !== undefined) throw refuse('invalid', 'group_unknown', `There is no group ${unknown}.`);
    for (const group of known) await this.requireStepUpFor(group, caller);
    return [...new Set(known.filter((group) => group !== null))];
  }

  /** Null for each that does not exist. */
  async find(called: readonly string[]): Promise<readonly (string | null)[]> {
    const made = await this.streams.load(groupsDecider, groupsStream);
    return called.map((name) => findGroupName(made, name));
  }

  /** The membership of Admin gives all rights. Throws the refusals `step_up_required` and `token_not_allowed`. */
  async requireStepUpFor(group: string | null, { userId, sessionId, tokenId }: Caller): Promise<void> {
    if (group !== 'Admin') return;
    requireSession(tokenId);
    await this.factors.requireFreshIfNeeded(userId, sessionId);
  }

  /** Somebody with a stolen session of an Admin could lock out the others. Throws the refusals `step_up_required` and `user_not_found`. */
  async requireStepUpToDisable(disabledId: string, { userId, sessionId }: Caller): Promise<void> {
    const { groups } = await this.people.byId(disabledId);
    if (groups.includes('Admin')) await this.factors.requireFreshIfNeeded(userId, sessionId);
  }
}

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

  /** The stored names of the groups. Throws the refusals `group_unknown`, and `step_up_required` and `token_not_allowed` for Admin. */
  async require(names: readonly string[], caller: Caller): Promise<string[]> {
    const known = await this.find(names);
    const unknown = names.find((_, at) => known[at] === null);
    if (unknown !== undefined) throw refuse('invalid', 'group_unknown', `There is no group ${unknown}.`);
    for (const group of known) await this.requireStepUpFor(group, caller);
    return [...new Set(known.filter((group) => group !== null))];
  }

  /** The stored names of the groups, null for a group that does not exist. */
  async find(names: readonly string[]): Promise<readonly (string | null)[]> {
    const made = await this.streams.load(groupsDecider, groupsStream);
    return names.map((name) => findGroupName(made, name));
  }

  /**
   * Requires a fresh second factor for Admin, because its members have all rights. Throws the refusals `step_up_required` and
   * `token_not_allowed`.
   */
  async requireStepUpFor(group: string | null, { userId, sessionId, tokenId }: Caller): Promise<void> {
    if (group !== 'Admin') return;
    requireSession(tokenId);
    await this.factors.requireFreshIfNeeded(userId, sessionId);
  }

  /**
   * Requires a fresh second factor to disable an Admin: otherwise a stolen session could lock out the other Admins. Throws the refusals
   * `step_up_required` and `user_not_found`.
   */
  async requireStepUpToDisable(disabledId: string, { userId, sessionId }: Caller): Promise<void> {
    const { groups } = await this.people.byId(disabledId);
    if (groups.includes('Admin')) await this.factors.requireFreshIfNeeded(userId, sessionId);
  }
}

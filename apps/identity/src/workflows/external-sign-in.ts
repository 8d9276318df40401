import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal, refuse } from '@parlance/decider';
import { newId } from '@parlance/event-store';
import { Config, type OidcProvider } from '@parlance/config';
import { MasterKey } from '@parlance/privacy';
import { RequestContext } from '@parlance/observability';
import { Streams } from '@parlance/foundation';
import { externalIdentity, externalIdentityStream } from '../domain/external-identity.ts';
import { profileOf } from '../domain/profile.ts';
import { Addresses } from './addresses.ts';
import { ExecuteExternalIdentity, ExecuteUser } from '../commands/aggregates.ts';
import type { ExternalFactor } from './external-factor.ts';
import type { ExternalPerson } from './external-person.ts';
import { MappedGroups } from './mapped-groups.ts';
import { isOfDomain } from './normal-address.ts';
import { Registration } from './registration.ts';
import { Sessions, type SessionTokens } from './sessions.ts';

const ATTEMPTS = 5;
/** Refusals that concurrent sign-ins, sign-ups and erasures can cause. */
const lostRaces = new Set(['email_taken', 'identity_linked', 'user_not_found', 'user_erased']);

/** Signs in a person whom a provider has identified. */
@Injectable()
export class ExternalSignIn {
  private readonly identityKey: Uint8Array;

  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly addresses: Addresses,
    private readonly registration: Registration,
    private readonly groups: MappedGroups,
    private readonly sessions: Sessions,
    private readonly config: Config,
    master: MasterKey,
  ) {
    this.identityKey = master.derive('external-identities');
  }

  /** `factor`: the second factor that the provider has asked for. Throws the refusals `email_not_verified`, `email_domain_not_allowed`, `no_such_account` and `user_disabled`. */
  async signIn(
    person: ExternalPerson,
    provider: string,
    settings: OidcProvider,
    factor: ExternalFactor | null = null,
  ): Promise<SessionTokens> {
    const userId = await this.userOf(person, provider, settings);
    RequestContext.concern(userId);
    await this.groups.applyMapping(userId, settings.group_mapping, person.groups);
    const proved = factor === null ? {} : { byProvider: true, ...(factor.at !== null && { factorAt: factor.at }) };
    return this.sessions.begin(userId, provider, proved);
  }

  private async userOf(person: ExternalPerson, provider: string, settings: OidcProvider): Promise<string> {
    const identityHash = this.hashOf(person);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const linked = await this.linkedUser(identityHash);
      if (linked !== null) return linked;
      try {
        return await this.link(person, provider, identityHash, settings);
      } catch (error) {
        if (!(error instanceof Refusal && lostRaces.has(error.code))) throw error;
      }
    }
    throw refuse('unavailable', 'stream_busy', 'This account is being changed by other requests. Try again.', { retry_after: 1 });
  }

  private async linkedUser(identityHash: string): Promise<string | null> {
    const { userId } = await this.streams.load(externalIdentity, externalIdentityStream(identityHash));
    if (userId === null || (await this.registration.isRegistered(userId))) return userId;
    // The user was erased during the linking, so the erasure did not find the link.
    await this.commands.execute(new ExecuteExternalIdentity(identityHash, { type: 'Unlink', userId }));
    return null;
  }

  /**
   * The identity's own stream is written last. Once it names the user, later sign-ins skip all of this. After a crash before that, the
   * next sign-in repeats everything: it finds the user by the address, and linking does nothing the second time. Of two concurrent
   * sign-ins, the claim of the address lets one register the user.
   */
  private async link(person: ExternalPerson, provider: string, identityHash: string, settings: OidcProvider): Promise<string> {
    const { email } = person;
    if (email === null)
      throw refuse('forbidden', 'email_not_verified', 'The identity provider has not confirmed that it verified your e-mail address.');
    if (!isOfDomain(email, settings.email_domains))
      throw refuse('forbidden', 'email_domain_not_allowed', 'This provider is not allowed to verify addresses of your e-mail domain.');
    // An interrupted or concurrent registration keeps its ID, so two of them make one user.
    const { userId, isThere } = (await this.addresses.claimantOf(email)) ?? { userId: newId(), isThere: false };
    if (!isThere && !settings.create_users)
      throw refuse('forbidden', 'no_such_account', 'You have no account here. Ask an administrator for one.');
    if (!isThere) await this.register(userId, { ...person, email });
    RequestContext.concern(userId);
    const { position } = await this.commands.execute(new ExecuteUser(userId, { type: 'LinkIdentity', provider, identityHash }));
    // Ends the sessions of the person who had signed up with the address, who may be a stranger. This is also done if another process
    // wrote the link, because that process may have crashed before it ended the sessions.
    await this.sessions.endOutdated(userId, position);
    await this.commands.execute(new ExecuteExternalIdentity(identityHash, { type: 'Link', userId }));
    return userId;
  }

  private async register(userId: string, person: ExternalPerson & { readonly email: string }): Promise<void> {
    const groups = [...new Set(this.config.autoJoinUserGroups)];
    const facts = { email: person.email, groups, password: null, mustChangePassword: false, origin: 'oidc' } as const;
    await this.registration.register(userId, { ...profileOf(person), ...facts });
  }

  /** A keyed hash, so that the log does not identify the person at the provider. */
  private hashOf({ issuer, subject }: ExternalPerson): string {
    return createHmac('sha256', this.identityKey).update(`${issuer}\0${subject}`).digest('hex');
  }
}

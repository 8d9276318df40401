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
import { Addresses } from './addresses.ts';
import { ExecuteExternalIdentity, ExecuteUser } from '../commands/aggregates.ts';
import type { ExternalPerson } from './external-person.ts';
import { MappedGroups } from './mapped-groups.ts';
import { isOfDomain } from './normal-address.ts';
import { Registration } from './registration.ts';
import { Sessions, type SessionTokens } from './sessions.ts';

const ATTEMPTS = 5;
/** What others who sign in, sign up or are erased at the same moment may have done to us. */
const lostRaces = new Set(['email_taken', 'identity_linked', 'user_not_found', 'user_erased']);

/** Signing in as a person whom a provider states. */
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

  /** Throws the refusals `email_not_verified`, `email_domain_not_allowed`, `no_such_account` and `user_disabled`. */
  async signIn(person: ExternalPerson, provider: string, settings: OidcProvider): Promise<SessionTokens> {
    const userId = await this.userOf(person, provider, settings);
    RequestContext.concern(userId);
    await this.groups.applyMapping(userId, settings.group_mapping, person.groups);
    return this.sessions.begin(userId, provider);
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
    // Erased while they were being linked, so that the erasure didn't find the link.
    await this.commands.execute(new ExecuteExternalIdentity(identityHash, { type: 'Unlink', userId }));
    return null;
  }

  /**
   * The identity's own stream comes last: once it names the user, nothing of this is done again. Cut off before, all of it
   * is repeated by the next sign-in: the user is found by the address, linking is nothing the second time, and sessions
   * that had to end do end. Of two at once, the claim of the address lets one make the user.
   */
  private async link(person: ExternalPerson, provider: string, identityHash: string, settings: OidcProvider): Promise<string> {
    const { email } = person;
    if (email === null)
      throw refuse('forbidden', 'email_not_verified', 'The identity provider does not say that it has verified your e-mail address.');
    if (!isOfDomain(email, settings.email_domains))
      throw refuse('forbidden', 'email_domain_not_allowed', 'This provider may not verify addresses of your e-mail domain.');
    // Of a registration that was cut off, or goes on at this moment, the id is taken: two at once make one user.
    const { userId, isThere } = (await this.addresses.claimantOf(email)) ?? { userId: newId(), isThere: false };
    if (!isThere && !settings.create_users)
      throw refuse('forbidden', 'no_such_account', 'You have no account here. Ask an administrator for one.');
    if (!isThere) await this.register(userId, { ...person, email });
    RequestContext.concern(userId);
    await this.commands.execute(new ExecuteUser(userId, { type: 'LinkIdentity', provider, identityHash }));
    // Sessions of the person who had signed up with the address, or a stranger who was here first would stay in the account. Not only where
    // we wrote it: the process that did may have died before the sessions ended.
    await this.sessions.endOutdated(userId);
    await this.commands.execute(new ExecuteExternalIdentity(identityHash, { type: 'Link', userId }));
    return userId;
  }

  private async register(userId: string, { email, firstName, lastName }: ExternalPerson & { readonly email: string }): Promise<void> {
    const groups = [...new Set(this.config.autoJoinUserGroups)];
    const facts = { email, firstName, lastName, groups, password: null, mustChangePassword: false, origin: 'oidc' } as const;
    await this.registration.register(userId, facts);
  }

  /** Keyed, so that the log names no person at any provider. */
  private hashOf({ issuer, subject }: ExternalPerson): string {
    return createHmac('sha256', this.identityKey).update(`${issuer}\0${subject}`).digest('hex');
  }
}

import { IsOptional } from 'class-validator';
import { Key } from './fields.ts';
import { isGroupName } from './limits.ts';
import { DomainNames, Flag, isWebAddress, ListOf, MapOf, Text, TextBy } from './rules.ts';

/** Names stand in paths, and in what sessions say of how they began: where `password` means something else. */
export const oidcProviderName = /^(?!password$)[a-z0-9-]{1,30}$/;

const thisMachine = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** An attacker who reads the traffic to an issuer can sign in as any user, so plain HTTP may not leave this machine. */
function isIssuer(value: string): boolean {
  if (!isWebAddress(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || thisMachine.test(hostname);
}

/** An OpenID Connect provider, and what it may decide. */
export class OidcProvider {
  @Key('Its issuer, below which it says the rest of itself.')
  @TextBy('an https address (http on this machine alone) without credentials, query or fragment', isIssuer)
  readonly issuer!: string;
  @Key('What people read; the name in its paths when absent.')
  @IsOptional()
  @Text('1 to 100 characters', /^.{1,100}$/su)
  readonly name: string | null = null;
  @Key('Who we are there.') @Text('a client id', /^[ -~]{1,500}$/) readonly client_id!: string;
  @Key('Proof of it; a public client has none.', { secret: true })
  @IsOptional()
  @Text('a client secret', /^[ -~]{1,1000}$/)
  readonly client_secret: string | null = null;
  @Key('What is asked for; openid always is.')
  @ListOf('scopes', (item) => /^[!#-[\]-~]{1,200}$/.test(item))
  readonly scopes: readonly string[] = ['openid', 'email', 'profile'];
  @Key('The claim that holds the groups.') @Text('the name of a claim', /^[!-~]{1,200}$/) readonly groups_claim: string = 'groups';
  @Key('Which group of ours a group of the provider stands for. Membership in those named here follows the provider at each sign-in.')
  @MapOf('groups of the provider to groups of ours', isGroupName)
  readonly group_mapping: Readonly<Record<string, string>> = {};
  @Key('Domains whose addresses it may verify; empty allows all. Who has another address can neither get an account by it nor be linked.')
  @DomainNames()
  readonly email_domains: readonly string[] = [];
  @Key('Whether a user without an account here gets one by signing in.') @Flag() readonly create_users: boolean = true;
}

import { IsOptional } from 'class-validator';
import { Key } from './fields.ts';
import { isGroupName } from './limits.ts';
import { DomainNames, Flag, isWebAddress, ListOf, MapOf, Text, TextBy } from './rules.ts';

/** Names are in paths, and in sessions as the sign-in method. There `password` and `passkey` have other meanings. */
export const oidcProviderName = /^(?!(?:password|passkey)$)[a-z0-9-]{1,30}$/;

const thisMachine = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** An attacker who controls the traffic to an issuer could sign in as any user, so plain HTTP is allowed only within this machine. */
function isIssuer(value: string): boolean {
  if (!isWebAddress(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === 'https:' || thisMachine.test(hostname);
}

const isClaimValue = (item: string): boolean => /^[!-~]{1,200}$/.test(item);

/** An OpenID Connect provider, and the users and groups that it may manage. */
export class OidcProvider {
  @Key('Issuer URL. The provider’s discovery document is below it.')
  @TextBy('an https address (http only on this machine) without credentials, query or fragment', isIssuer)
  readonly issuer!: string;
  @Key('Display name. Default: the name in the sign-in path.')
  @IsOptional()
  @Text('1 to 100 characters', /^.{1,100}$/su)
  readonly name: string | null = null;
  @Key('Client ID.') @Text('a client id', /^[ -~]{1,500}$/) readonly client_id!: string;
  @Key('Client secret; absent for a public client.', { secret: true })
  @IsOptional()
  @Text('a client secret', /^[ -~]{1,1000}$/)
  readonly client_secret: string | null = null;
  @Key('Requested scopes. openid is always requested.')
  @ListOf('scopes', (item) => /^[!#-[\]-~]{1,200}$/.test(item))
  readonly scopes: readonly string[] = ['openid', 'email', 'profile'];
  @Key('Claim with the user’s groups.') @Text('the name of a claim', /^[!-~]{1,200}$/) readonly groups_claim: string = 'groups';
  @Key('Map from groups of the provider to groups in Parlance. Membership in the mapped groups is updated at each sign-in.')
  @MapOf('groups of the provider to groups of Parlance', isGroupName)
  readonly group_mapping: Readonly<Record<string, string>> = {};
  @Key('E-mail domains for which this provider is trusted; empty allows all. Users with other addresses cannot be linked or created.')
  @DomainNames()
  readonly email_domains: readonly string[] = [];
  @Key(
    'Values of the claim acr of the ID token that prove a second factor. Groups in `requireSecondFactorFor` then need none here. Empty accepts none.',
  )
  @ListOf('values of acr', isClaimValue)
  readonly accepted_acr: readonly string[] = [];
  @Key('As accepted_acr, for the methods in the claim amr. One of them is enough.')
  @ListOf('values of amr', isClaimValue)
  readonly accepted_amr: readonly string[] = [];
  @Key('Whether the first sign-in creates an account.') @Flag() readonly create_users: boolean = true;
}

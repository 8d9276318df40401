import { IsOptional } from 'class-validator';
import { Key } from '../fields.ts';
import { isGroupName, LONGEST_TOKEN_MINUTES } from '../limits.ts';
import { OidcProvider, oidcProviderName } from '../oidc-provider.ts';
import { Cidrs, DomainNames, Flag, ListOf, Named, Nested, Origin, Origins, Whole } from '../rules.ts';
import { InstallationKeys } from './installation-keys.ts';

/** Keys for sign-in, sign-up, access by address, and rate limits. */
export class AccessKeys extends InstallationKeys {
  @Key(
    'Groups that new users join. Users who sign up do not join Admin or PublishAllowed, because their e-mail addresses are not verified.',
  )
  @ListOf('group names', isGroupName)
  readonly autoJoinUserGroups: readonly string[] = ['CreatingBotAllowed'];

  @Key('Whether users may sign up. If false, only an Admin, SCIM or an OpenID Connect provider creates users.')
  @Flag()
  readonly selfSignUpEnabled: boolean = true;

  @Key('E-mail domains that may sign up; empty allows all.')
  @DomainNames()
  readonly allowedSignUpEmailDomains: readonly string[] = [];

  @Key(
    'Whether a sign-in with a password needs a verified e-mail address. A sign-up then sends a mail with a link that verifies it. Needs `smtpUrl`.',
  )
  @Flag()
  readonly requireVerifiedEmail: boolean = false;

  @Key('Groups whose members need a second factor. Members without one can only add one after signing in.')
  @ListOf('group names', isGroupName)
  readonly requireSecondFactorFor: readonly string[] = [];

  @Key('OpenID Connect providers for signing in, by name. The name is part of the sign-in path.')
  @Named('1 to 30 lower-case letters, digits and hyphens, and not password or passkey', oidcProviderName)
  @Nested(OidcProvider, 'map')
  readonly oidcProviders: Readonly<Record<string, OidcProvider>> = {};

  @Key(
    'E-mail domains of the users that SCIM clients may create, change, erase and add to groups; empty allows all. Requests about users of other domains get 403.',
  )
  @DomainNames()
  readonly scimEmailDomains: readonly string[] = [];

  @Key('Lifetime of an access token in minutes.') @Whole(1, LONGEST_TOKEN_MINUTES) readonly tokenValidMinutes: number = 30;

  @Key('Lifetime of a session in days. Then the user must sign in again.')
  @Whole(1, 365)
  readonly sessionValidDays: number = 30;

  @Key('Longest lifetime of a personal access token in days. A shorter one can be chosen when the token is created.')
  @Whole(1, 3_650)
  readonly personalTokenMaxDays: number = 365;

  @Key('Rotation interval of the key that signs access tokens, in days.') @Whole(1, 365) readonly signingKeyDays: number = 30;

  @Key('Requests to /auth/ per minute from one IP address (for IPv6: one /64 network), at each edge; 0 means no limit.')
  @Whole(0, 100_000)
  readonly authRequestsPerMinute: number = 60;

  @Key('Requests per minute from one signed-in user or with one SCIM token, at each edge; 0 means no limit.')
  @Whole(0, 1_000_000)
  readonly requestsPerMinute: number = 1_200;

  @Key(
    'Requests without sign-in per minute from one IP address (for IPv6: one /64 network), at each edge; 0 means no limit. Requests to published APIs count until their API key is accepted. Requests to /auth/, for the console and with a valid signed address of a file are not counted.',
  )
  @Whole(0, 1_000_000)
  readonly anonymousRequestsPerMinute: number = 120;

  @Key('Open connections from one IP address (for IPv6: one /64 network), at each edge; 0 means no limit. Trusted proxies are not limited.')
  @Whole(0, 100_000)
  readonly connectionsPerAddress: number = 256;

  @Key(
    'Memory for request bodies, and for answers until clients have read them, in one process, in MiB. Above it, requests get 503 `busy`. The bodies of one user or IP address may use half of it. Pages get smaller when little is left.',
  )
  @Whole(64, 65_536)
  readonly maxBufferedMebibytes: number = 64;

  @Key('Whether the edge serves the web console at /app/. If false, / and /app/ answer 404.') @Flag() readonly console: boolean = true;

  @Key('Origins whose web pages may call the API (CORS). Published APIs are excluded; they have their own origins.')
  @Origins()
  readonly consoleOrigins: readonly string[] = [];

  @Key('Origin of the object store to which browsers upload files from the web console, for an edge without `objectStore`.', {
    defaultText: 'from `objectStore`',
  })
  @IsOptional()
  @Origin()
  readonly uploadOrigin: string | null = null;

  @Key(
    'Origin of its own for pages that models write. It must lead to the edge, and must not be the origin of `publicBaseUrl`. Without it, they have an opaque origin.',
  )
  @IsOptional()
  @Origin()
  readonly artifactOrigin: string | null = null;

  @Key('Available models; empty allows all.')
  @ListOf('model ids', (item) => /^\S{1,200}$/.test(item))
  readonly globalAvailableModels: readonly string[] = [];

  @Key('IPv4 ranges that may reach the API, except published APIs. If the IPv6 list is also empty, all addresses may.')
  @Cidrs(4)
  readonly allowedIpV4AddressRanges: readonly string[] = [];

  @Key('IPv6 ranges that may reach the API, except published APIs.') @Cidrs(6) readonly allowedIpV6AddressRanges: readonly string[] = [];

  @Key('IPv4 ranges that may reach published APIs. If the IPv6 list is also empty, all addresses may.')
  @Cidrs(4)
  readonly publishedApiAllowedIpV4AddressRanges: readonly string[] = [];

  @Key('IPv6 ranges that may reach published APIs.') @Cidrs(6) readonly publishedApiAllowedIpV6AddressRanges: readonly string[] = [];

  @Key('Proxies whose X-Forwarded-For header is trusted.') @Cidrs() readonly trustedProxies: readonly string[] = [];

  @Key(
    'Private address ranges from which knowledge may be fetched, and in which tools and the model providers that administrators add may be.',
  )
  @Cidrs()
  readonly fetchAllowedPrivateRanges: readonly string[] = [];
}

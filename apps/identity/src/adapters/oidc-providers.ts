import { Injectable } from '@nestjs/common';
import { refuse } from '@parlance/decider';
import { Config, type OidcProvider } from '@parlance/config';
import { ShutdownPlan } from '@parlance/observability';
import type { OidcSignIn } from './oidc-sign-in.ts';

export interface KnownProvider {
  readonly settings: OidcProvider;
  readonly signIn: OidcSignIn;
}

/** The configured providers. The library is loaded at the first sign-in through one. */
@Injectable()
export class OidcProviders {
  private readonly clients = new Map<string, Promise<OidcSignIn>>();

  constructor(
    private readonly config: Config,
    shutdown: ShutdownPlan,
  ) {
    shutdown.stop('background', 'identity: OpenID Connect', () => this.close());
  }

  /** Throws the refusal `provider_not_found`. */
  async named(name: string): Promise<KnownProvider> {
    const { oidcProviders, publicBaseUrl } = this.config;
    const settings = Object.hasOwn(oidcProviders, name) ? oidcProviders[name] : undefined;
    if (settings === undefined) throw refuse('missing', 'provider_not_found', 'There is no such provider here.');
    let client = this.clients.get(name);
    if (client === undefined) {
      const redirectUri = `${publicBaseUrl}/auth/oidc/${name}/callback`;
      client = import('./oidc-client.ts').then(({ OidcClient }) => new OidcClient(name, settings, redirectUri));
      this.clients.set(name, client);
    }
    return { settings, signIn: await client };
  }

  private async close(): Promise<void> {
    await Promise.all([...this.clients.values()].map(async (client) => (await client).close()));
  }
}

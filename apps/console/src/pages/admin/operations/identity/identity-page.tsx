import type { SignInOptions } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { useAdminMessages } from '../../../../messages/admin-messages.ts';
import { parlance } from '../../../../session/parlance.ts';
import { CodeBlock } from '../../../../ui/code-block.tsx';
import { Page, Section } from '../../../../ui/page.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { type Column, Table } from '../../../../ui/table.tsx';
import { PROVIDER_EXAMPLE } from './provider-example.ts';
import { useMessages } from '../../../../messages/index.ts';
import { ScimTokens } from './scim-tokens.tsx';
import { formatList } from '../../../../messages/format.ts';

type Provider = SignInOptions['providers'][number];

export function IdentityPage() {
  const { identity } = useAdminMessages().admin.operations;
  return (
    <Page title={identity.title} description={identity.description}>
      <Providers />
      <ScimTokens />
    </Page>
  );
}

function Providers() {
  const { common } = useMessages();
  const { identity } = useAdminMessages().admin.operations;
  const query = useQuery({
    queryKey: ['sign-in-options'],
    queryFn: ({ signal }) => parlance.api.get('/auth/options', { signal }),
  });
  const columns: readonly Column<Provider>[] = [
    { id: 'name', name: identity.provider, cell: ({ name }) => <span className="font-medium">{name}</span> },
    { id: 'id', name: identity.providerId, cell: ({ id }) => <code className="text-xs">{id}</code> },
    { id: 'start', name: identity.startUrl, cell: ({ start_url }) => <code className="text-xs">{start_url}</code> },
  ];
  return (
    <Section title={identity.providers} description={identity.providersText}>
      <Loaded query={query}>
        {(options) => (
          <>
            <Table
              label={identity.providers}
              columns={columns}
              rows={options.providers}
              keyOf={({ id }) => id}
              empty={
                <p className="text-sm">
                  {identity.noProviders}. {identity.noProvidersText}
                </p>
              }
            />
            <p className="text-sm text-muted">{common.named(identity.signUp, signUpText(options, identity))}</p>
          </>
        )}
      </Loaded>
      <h3 className="text-sm font-semibold">{identity.how}</h3>
      <p className="text-sm text-muted">{identity.howText}</p>
      <CodeBlock label={identity.redirect} code={`${globalThis.location.origin}/auth/oidc/acme/callback`} />
      <CodeBlock label={identity.config} code={PROVIDER_EXAMPLE} />
    </Section>
  );
}

interface SignUpTexts {
  readonly signUpOpen: string;
  readonly signUpClosed: string;
  readonly signUpDomains: (domains: string) => string;
}

function signUpText({ sign_up_enabled, allowed_sign_up_email_domains: domains }: SignInOptions, texts: SignUpTexts): string {
  if (!sign_up_enabled) return texts.signUpClosed;
  return domains.length === 0 ? texts.signUpOpen : texts.signUpDomains(formatList(domains));
}

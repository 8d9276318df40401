import type { Model, ModelProvider } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { Page } from '../../../../../ui/page.tsx';
import { Loaded } from '../../../../../ui/states.tsx';
import { modelsQuery, providersQuery } from '../catalogue-queries.ts';
import type { AvailableModel } from '../model-fields/model-draft.ts';
import { DetailsStep } from './details-step.tsx';
import { Done } from './done.tsx';
import { ModelStep } from './model-step.tsx';
import { ProviderStep } from './provider-step.tsx';

const route = getRouteApi('/signed-in/admin/models/connect');

/** Connects a model: its provider, the model, its name and prices. Each step appears when the one before it is done. */
export function ConnectPage() {
  const { connect } = useAdminMessages().admin.operations;
  const providers = useQuery(providersQuery);
  const models = useQuery(modelsQuery);
  return (
    <Page
      title={connect.title}
      description={
        <>
          <span className="block">{connect.description}</span>
          <Link to="/admin/models" className="inline-flex items-center gap-1 text-accent hover:underline max-sm:min-h-11">
            <ArrowLeft aria-hidden className="size-4 rtl:rotate-180" />
            {connect.back}
          </Link>
        </>
      }
    >
      <Loaded query={providers}>
        {(all) => <Loaded query={models}>{(page) => <Steps providers={all} models={page.models} />}</Loaded>}
      </Loaded>
    </Page>
  );
}

function Steps({ providers, models }: { readonly providers: readonly ModelProvider[]; readonly models: readonly Model[] }) {
  const { provider: wanted } = route.useSearch();
  const [provider, setProvider] = useState<ModelProvider | null>(
    () => providers.find(({ id, available }) => id === wanted && available) ?? null,
  );
  const [chosen, setChosen] = useState<AvailableModel | null>(null);
  const [added, setAdded] = useState<Model | null>(null);
  if (added !== null) {
    const again = () => {
      setAdded(null);
      setChosen(null);
    };
    return <Done model={added} onAgain={again} />;
  }
  return (
    <>
      <ProviderStep
        providers={providers}
        wanted={wanted}
        connected={provider}
        onConnected={(next) => {
          setProvider(next);
          setChosen(null);
        }}
      />
      {provider && (
        <ModelStep key={`${provider.id} ${provider.etag}`} provider={provider} models={models} chosen={chosen} onChosen={setChosen} />
      )}
      {provider && chosen && (
        <DetailsStep key={`${provider.id} ${chosen.model}`} providerId={provider.id} chosen={chosen} models={models} onAdded={setAdded} />
      )}
    </>
  );
}

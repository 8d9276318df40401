import type { ModelCheck, ModelProvider } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, refusedFields } from '../../../../../api/form-errors.ts';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { Button, LinkButton } from '../../../../../ui/button.tsx';
import { Select } from '../../../../../ui/fields/index.ts';
import { Section } from '../../../../../ui/page.tsx';
import { ErrorNote } from '../../../../../ui/states.tsx';
import { useSending } from '../../../../../ui/use-sending.ts';
import { catalogueChanged } from '../catalogue-queries.ts';
import { CheckVerdict } from '../check-verdict.tsx';
import { changeOf, creationOf, newDraft, problemsOf, PROVIDER_TYPES, type ProviderType } from '../providers/provider-draft.ts';
import { ProviderFields } from '../providers/provider-fields.tsx';

interface ProviderStepProps {
  readonly providers: readonly ModelProvider[];
  /** The provider that the address names. */
  readonly wanted: string | undefined;
  readonly connected: ModelProvider | null;
  /** Called with a provider whose models can be chosen, and with null when another one is entered. */
  readonly onConnected: (provider: ModelProvider | null) => void;
}

const NONE: ReadonlySet<never> = new Set();
/** The option for a provider of a type that is not connected yet. */
const NEW = 'new:';

/** Chooses a connected provider, or connects another one with its key and tests it. */
export function ProviderStep({ providers, wanted, connected, onConnected }: ProviderStepProps) {
  const { connect, providers: texts } = useAdminMessages().admin.operations;
  const usable = providers.filter(({ available, type }) => available && type !== 'local');
  const typeWanted = PROVIDER_TYPES.find((type) => type === providers.find(({ id }) => id === wanted)?.type);
  const [type, setType] = useState<ProviderType>(typeWanted ?? 'anthropic');
  const [isNew, setNew] = useState(connected === null);
  const choose = (id: string) => {
    const known = usable.find((provider) => `known:${provider.id}` === id);
    setNew(known === undefined);
    if (!known) setType(PROVIDER_TYPES.find((each) => `${NEW}${each}` === id) ?? 'anthropic');
    onConnected(known ?? null);
  };
  return (
    <Section
      title={connect.providerStep}
      actions={
        <LinkButton size="small" look="quiet" href="/welcome/model">
          {connect.inConfiguration}
        </LinkButton>
      }
    >
      <Select
        label={connect.chosenProvider}
        value={isNew || connected === null ? `${NEW}${type}` : `known:${connected.id}`}
        onChange={choose}
        options={[
          ...usable.map(({ id }) => ({ id: `known:${id}`, name: connect.known(id) })),
          ...PROVIDER_TYPES.map((id) => ({ id: `${NEW}${id}`, name: texts.types[id] })),
        ]}
        className="max-w-md"
      />
      {isNew && <NewProvider key={type} type={type} providers={providers} onConnected={onConnected} />}
    </Section>
  );
}

interface NewProviderProps {
  readonly type: ProviderType;
  readonly providers: readonly ModelProvider[];
  readonly onConnected: (provider: ModelProvider | null) => void;
}

/** A provider that lists no models may still have some. */
const isUsable = ({ ok, error }: ModelCheck): boolean => ok || error?.code === 'models_not_listed';

/** The first attempt adds the provider. Each further one changes it, until the test succeeds. */
function NewProvider({ type, providers, onConnected }: NewProviderProps) {
  const { connect, providers: texts } = useAdminMessages().admin.operations;
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => newDraft(type, providers));
  const [isChecked, setChecked] = useState(false);
  const [stored, setStored] = useState<ModelProvider | null>(null);
  const [check, setCheck] = useState<ModelCheck | null>(null);
  const problems = problemsOf(draft, stored, stored === null ? providers : []);
  const store = () =>
    stored === null
      ? parlance.api.post('/admin/providers', { body: creationOf(draft) })
      : parlance.api.patch('/admin/providers/{providerId}', {
          path: { providerId: stored.id },
          body: changeOf(draft),
          ifMatch: stored.etag!,
        });
  const { isPending, error, send } = useSending(async () => {
    onConnected(null);
    setCheck(null);
    const saved = await store();
    setStored(saved);
    // The key is stored. It is neither kept in the page nor sent again.
    setDraft((now) => ({ ...now, apiKey: '', accessKeyId: '', secretAccessKey: '' }));
    const verdict = await parlance.api.post('/admin/providers/{providerId}/check', { path: { providerId: saved.id } });
    await catalogueChanged(client);
    setCheck(verdict);
    if (isUsable(verdict)) onConnected(saved);
  });
  const removing = useSending(async () => {
    if (stored === null) return;
    await parlance.api.delete('/admin/providers/{providerId}', { path: { providerId: stored.id }, ifMatch: stored.etag! });
    // Until the list is read again, the ID of the removed provider would count as taken.
    await catalogueChanged(client);
    setStored(null);
    setCheck(null);
    setChecked(false);
  });
  const hasFailed = check !== null && !isUsable(check);
  const errors = fieldErrors(error);
  const isShown = Object.keys(errors).length > 0;
  return (
    <form
      noValidate
      aria-label={connect.providerStep}
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (problems.size === 0) send();
      }}
      className="flex max-w-md flex-col gap-4"
    >
      {error !== null && !isShown && <ErrorNote error={error} text={refusedFields(error)} />}
      <ProviderFields
        draft={draft}
        onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
        problems={isChecked ? problems : NONE}
        errorOf={(path) => errors[path]}
        isStored={stored !== null}
      />
      <Button type="submit" look={check?.ok ? 'secondary' : 'primary'} className="self-start" isPending={isPending}>
        {stored === null ? connect.connectAndTest : connect.saveAndTest}
      </Button>
      <div role="status">
        {isPending && <p className="text-sm text-muted">{texts.testing}</p>}
        {check && <CheckVerdict check={check} of="provider" />}
      </div>
      {hasFailed && (
        <>
          <p className="text-xs text-muted">{connect.failedText}</p>
          <Button look="danger" className="self-start" isPending={removing.isPending} onPress={() => removing.send()}>
            {connect.removeAgain}
          </Button>
          {removing.error !== null && <ErrorNote error={removing.error} />}
        </>
      )}
    </form>
  );
}

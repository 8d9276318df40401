import { ParlanceError } from '@parlance/client';
import type { AvailableModels, Model, ModelProvider } from '@parlance/client/types';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { audited } from '../../../../../api/query-client.ts';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { Button } from '../../../../../ui/button.tsx';
import { SearchField, TextField } from '../../../../../ui/fields/index.ts';
import { Section } from '../../../../../ui/page.tsx';
import { Loaded } from '../../../../../ui/states.tsx';
import type { AvailableModel } from '../model-fields/model-draft.ts';
import { CATALOGUE_NAME } from '../providers/provider-draft.ts';
import { AvailableModelRow } from './available-model-row.tsx';
import { chatIds, listedOrKnown } from './connected-models.ts';
import { matchingModels } from './matching-models.ts';

interface ModelStepProps {
  readonly provider: ModelProvider;
  /** The models of the catalogue. */
  readonly models: readonly Model[];
  readonly chosen: AvailableModel | null;
  readonly onChosen: (model: AvailableModel) => void;
}

/** The answer for a provider that does not list its models. */
const NO_LIST: AvailableModels = { models: [], complete: true };

/** Chooses a model of the provider's list, or enters its name. */
export function ModelStep({ provider: { id: providerId }, models, chosen, onChosen }: ModelStepProps) {
  const { connect } = useAdminMessages().admin.operations;
  const query = useQuery({
    ...audited,
    queryKey: ['admin', 'providers', providerId, 'available-models'],
    queryFn: ({ signal }) =>
      parlance.api.get('/admin/providers/{providerId}/available-models', { path: { providerId }, signal }).catch((error: unknown) => {
        if (error instanceof ParlanceError && error.code === 'models_not_listed') return NO_LIST;
        throw error;
      }),
    staleTime: Infinity,
  });
  return (
    <Section title={connect.modelStep} description={connect.modelText}>
      <Loaded query={query}>
        {(list) => {
          const all = listedOrKnown(list, models, providerId);
          return (
            <>
              {all.length > 0 && (
                <ModelList models={all} isComplete={list.complete} ids={chatIds(models)} chosen={chosen} onChosen={onChosen} />
              )}
              <ByName isOnly={list.models.length === 0} onChosen={onChosen} />
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

interface ModelListProps extends Pick<ModelStepProps, 'chosen' | 'onChosen'> {
  readonly models: readonly AvailableModel[];
  readonly isComplete: boolean;
  /** The models of the catalogue that a chat can begin with. */
  readonly ids: ReadonlySet<string>;
}

function ModelList({ models, isComplete, ids, chosen, onChosen }: ModelListProps) {
  const { connect } = useAdminMessages().admin.operations;
  const [search, setSearch] = useState('');
  const found = matchingModels(models, search);
  return (
    <div className="flex flex-col gap-2">
      <SearchField autoFocus label={connect.search} value={search} onChange={setSearch} className="max-w-md" />
      <p role="status" className="text-xs text-muted">
        {found.length === 0 ? connect.noMatch : connect.found(found.length)}
      </p>
      {found.length > 0 && (
        // Long lists scroll in their own region, which the keyboard must reach.
        <div
          role="region"
          aria-label={connect.modelStep}
          tabIndex={0}
          className="relative max-h-80 overflow-auto rounded-sm border border-line"
        >
          <ul>
            {found.map((model) => (
              <AvailableModelRow
                key={model.model}
                model={model}
                chatId={model.model_ids.find((id) => ids.has(id))}
                isChosen={chosen?.model === model.model}
                onChosen={() => onChosen(model)}
              />
            ))}
          </ul>
        </div>
      )}
      {!isComplete && <p className="text-xs text-muted">{connect.incomplete}</p>}
    </div>
  );
}

/** For models that no list has. */
function ByName({ isOnly, onChosen }: { readonly isOnly: boolean; readonly onChosen: ModelStepProps['onChosen'] }) {
  const { connect, modelFields } = useAdminMessages().admin.operations;
  const [name, setName] = useState('');
  const [isChecked, setChecked] = useState(false);
  const isName = CATALOGUE_NAME.test(name.trim());
  const use = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isName) onChosen({ model: name.trim(), name: null, context_window: null, model_ids: [], suggestion: null });
  };
  return (
    <form noValidate aria-label={connect.byName} onSubmit={use} className="flex max-w-md flex-col gap-2">
      <TextField
        label={connect.byName}
        help={isOnly ? connect.byNameOnlyHelp : connect.byNameHelp}
        value={name}
        onChange={setName}
        error={isChecked && !isName ? modelFields.idInvalid : undefined}
      />
      <Button type="submit" className="self-start">
        {connect.useName}
      </Button>
    </form>
  );
}

import type { Model } from '@parlance/client/types';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, refusedFields } from '../../../../../api/form-errors.ts';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { Button } from '../../../../../ui/button.tsx';
import { NumberField, TextField } from '../../../../../ui/fields/index.ts';
import { Section } from '../../../../../ui/page.tsx';
import { ErrorNote } from '../../../../../ui/states.tsx';
import { useSending } from '../../../../../ui/use-sending.ts';
import { catalogueChanged } from '../catalogue-queries.ts';
import { type AvailableModel, creationOfModel, draftFor, modelProblems } from '../model-fields/model-draft.ts';
import { ModelFields } from '../model-fields/model-fields.tsx';
import { isForChat } from './connected-models.ts';
import { untilOffered } from './until-offered.ts';

const AMOUNT = { style: 'currency', currency: 'USD', maximumFractionDigits: 9 } as const;
const NONE: ReadonlySet<never> = new Set();

interface DetailsStepProps {
  readonly providerId: string;
  readonly chosen: AvailableModel;
  readonly models: readonly Model[];
  readonly onAdded: (model: Model) => void;
}

/** Names the model, and adds it with its prices. */
export function DetailsStep({ providerId, chosen, models, onAdded }: DetailsStepProps) {
  const { connect, modelFields } = useAdminMessages().admin.operations;
  const client = useQueryClient();
  const taken = new Set(models.map(({ id }) => id));
  const [draft, setDraft] = useState(() => draftFor(chosen, taken));
  const [isChecked, setChecked] = useState(false);
  const problems = modelProblems(draft, taken);
  const { isPending, error, send } = useSending(async () => {
    const added = await parlance.api.post('/admin/models', { body: creationOfModel(providerId, chosen, draft, new Date()) });
    if (added.available && isForChat(added)) await untilOffered(added.id, () => parlance.config());
    onAdded(added);
    await catalogueChanged(client);
  });
  const errors = fieldErrors(error);
  const errorOf = (path: string) => Object.entries(errors).find(([key]) => key === path || key.startsWith(`${path}.`))?.[1];
  const shown = isChecked ? problems : NONE;
  const pricesMissing = shown.has('prices') ? modelFields.bothPrices : undefined;
  return (
    <Section title={connect.detailsStep} description={chosen.model}>
      <form
        noValidate
        aria-label={connect.detailsStep}
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (problems.size === 0) send();
        }}
        className="flex max-w-md flex-col gap-4"
      >
        {error !== null && <ErrorNote error={error} text={refusedFields(error)} />}
        <TextField
          // The step appears below the list, which can be long.
          autoFocus
          label={modelFields.id}
          help={modelFields.idHelp}
          value={draft.id}
          onChange={(id) => setDraft((now) => ({ ...now, id }))}
          error={errorOf('id') ?? (shown.has('id') ? modelFields.idInvalid : shown.has('idTaken') ? modelFields.idTaken : undefined)}
        />
        <ModelFields draft={draft} onChange={(part) => setDraft((now) => ({ ...now, ...part }))} problems={shown} errorOf={errorOf} />
        <div className="grid grid-cols-2 gap-4">
          <NumberField
            label={modelFields.input}
            help={modelFields.priceHelp}
            value={draft.input}
            onChange={(input) => setDraft((now) => ({ ...now, input }))}
            minValue={0}
            formatOptions={AMOUNT}
            error={pricesMissing}
          />
          <NumberField
            label={modelFields.output}
            help={modelFields.priceHelp}
            value={draft.output}
            onChange={(output) => setDraft((now) => ({ ...now, output }))}
            minValue={0}
            formatOptions={AMOUNT}
            error={pricesMissing}
          />
        </div>
        <p className="text-xs text-muted">{chosen.suggestion === null ? modelFields.freeNote : modelFields.suggested}</p>
        <Button type="submit" look="primary" className="self-start" isPending={isPending}>
          {connect.add}
        </Button>
        <p role="status" className="text-sm text-muted empty:hidden">
          {isPending && connect.adding}
        </p>
      </form>
    </Section>
  );
}

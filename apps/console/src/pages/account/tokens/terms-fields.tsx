import { useAccountMessages } from '../../../messages/account-messages.ts';
import { NumberField, TextField } from '../../../ui/fields/index.ts';
import type { TermFields } from './token-form.ts';

interface Props {
  readonly terms: TermFields;
  readonly onChange: (terms: TermFields) => void;
  readonly errorOf: (path: string) => string | undefined;
}

/** What a token may call, and what its calls are recorded with. */
export function TermsFields({ terms, onChange, errorOf }: Props) {
  const { terms: texts } = useAccountMessages().tokens;
  const change = (changed: Partial<TermFields>) => onChange({ ...terms, ...changed });
  const limit = (name: 'requests' | 'tokens' | 'parallel', path: string) => (
    <NumberField
      label={texts[name]}
      value={terms[name]}
      onChange={(value) => change({ [name]: value })}
      minValue={1}
      step={1}
      error={errorOf(path)}
    />
  );
  return (
    <>
      <TextField
        label={texts.models}
        help={texts.modelsHelp}
        value={terms.models}
        onChange={(models) => change({ models })}
        error={errorOf('models')}
        rows={2}
      />
      <fieldset className="flex flex-col gap-1">
        <legend className="sr-only">{texts.limits}</legend>
        <div className="grid grid-cols-3 items-end gap-3 max-sm:grid-cols-1">
          {limit('requests', 'requests_per_minute')}
          {limit('tokens', 'tokens_per_minute')}
          {limit('parallel', 'max_parallel_requests')}
        </div>
        <p className="text-xs text-muted">{texts.limitsHelp}</p>
      </fieldset>
      <TextField
        label={texts.costCentre}
        help={texts.costCentreHelp}
        value={terms.costCentre}
        onChange={(costCentre) => change({ costCentre })}
        error={errorOf('cost_centre')}
        maxLength={100}
        autoComplete="off"
      />
      <NumberField
        label={texts.cached}
        help={texts.cachedHelp}
        value={terms.cached}
        onChange={(cached) => change({ cached })}
        minValue={0}
        maxValue={3_600}
        step={1}
        error={errorOf('cache_ttl_seconds')}
      />
      <TextField
        label={texts.tags}
        help={texts.tagsHelp}
        value={terms.tags}
        onChange={(tags) => change({ tags })}
        error={errorOf('tags')}
        rows={2}
      />
    </>
  );
}

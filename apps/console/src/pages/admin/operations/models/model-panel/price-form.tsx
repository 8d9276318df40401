import type { Model, PriceBody } from '@parlance/client/types';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { fieldErrors, formError } from '../../../../../api/form-errors.ts';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { parlance } from '../../../../../session/parlance.ts';
import { Button } from '../../../../../ui/button.tsx';
import { NumberField, TextField } from '../../../../../ui/fields/index.ts';
import { ErrorNote } from '../../../../../ui/states.tsx';
import { toast } from '../../../../../ui/toasts.tsx';
import { instantOf, localTime } from '../../../../../calendar/local-time.ts';

const AMOUNT = { style: 'currency', currency: 'USD', maximumFractionDigits: 9 } as const;

/** Adds a price that applies from a given time. The form starts with the current price. */
export function PriceForm({ model }: { readonly model: Model }) {
  const { models } = useAdminMessages().admin.operations;
  const client = useQueryClient();
  const [from, setFrom] = useState(localTime(Math.ceil(Date.now() / 60_000) * 60));
  const [amounts, setAmounts] = useState(() => amountsOf(model.price));
  const [isChecked, setChecked] = useState(false);
  const saving = useMutation({
    mutationFn: (body: PriceBody) => parlance.api.put('/admin/models/{modelId}/prices', { path: { modelId: model.id }, body }),
    onSuccess: async () => {
      toast(models.saved(model.name));
      await client.invalidateQueries({ queryKey: ['admin', 'models'] });
    },
  });
  const instant = instantOf(from);
  // Prices of caches and searches are optional.
  const isMissing = (name: keyof typeof amounts) => (name === 'input' || name === 'output') && Number.isNaN(amounts[name]);
  const save = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (instant === null || isMissing('input') || isMissing('output')) return;
    saving.mutate({
      from: instant,
      input: amounts.input,
      output: amounts.output,
      cache_read: orNull(amounts.cache_read),
      cache_write: orNull(amounts.cache_write),
      cache_write_1h: orNull(amounts.cache_write_1h),
      web_search: orNull(amounts.web_search),
    });
  };
  const errors = fieldErrors(saving.error);
  const problem = formError(saving.error);
  const amount = (name: keyof typeof amounts) => ({
    value: amounts[name],
    onChange: (value: number) => setAmounts({ ...amounts, [name]: value }),
    minValue: 0,
    formatOptions: AMOUNT,
    error: errors[name] ?? (isChecked && isMissing(name) ? models.amountMissing : undefined),
  });
  return (
    <form aria-label={models.addPrice} onSubmit={save} noValidate className="flex flex-col gap-4 border-t border-line pt-5">
      <h3 className="text-md font-semibold">{models.addPrice}</h3>
      {problem !== null && <ErrorNote error={problem} />}
      <TextField
        label={models.from}
        help={models.fromHelp}
        type="datetime-local"
        value={from}
        onChange={setFrom}
        error={errors['from'] ?? (isChecked && instant === null ? models.fromMissing : undefined)}
      />
      <div className="grid grid-cols-2 gap-4">
        <NumberField label={models.input} help={models.perMillion} {...amount('input')} />
        <NumberField label={models.output} help={models.perMillion} {...amount('output')} />
        <NumberField label={models.cacheRead} help={models.cacheHelp} {...amount('cache_read')} />
        <NumberField label={models.cacheWrite} help={models.cacheHelp} {...amount('cache_write')} />
        <NumberField label={models.cacheWriteHour} help={models.cacheHourHelp} {...amount('cache_write_1h')} />
        <NumberField label={models.webSearch} help={models.webSearchHelp} {...amount('web_search')} />
      </div>
      <Button type="submit" look="primary" className="self-start" isPending={saving.isPending}>
        {models.addPrice}
      </Button>
    </form>
  );
}

const amountsOf = (price: Model['price']) => ({
  input: price?.input ?? Number.NaN,
  output: price?.output ?? Number.NaN,
  cache_read: price?.cache_read ?? Number.NaN,
  cache_write: price?.cache_write ?? Number.NaN,
  cache_write_1h: price?.cache_write_1h ?? Number.NaN,
  web_search: price?.web_search ?? Number.NaN,
});

const orNull = (amount: number): number | null => (Number.isNaN(amount) ? null : amount);

import { ArrowUp, X } from 'lucide-react';
import { useAdminMessages } from '../../../../../messages/admin-messages.ts';
import { IconButton } from '../../../../../ui/button.tsx';
import { type Option, Select } from '../../../../../ui/fields/index.ts';

interface ModelOrderProps {
  readonly label: string;
  readonly help: string;
  readonly value: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
  /** The models that can be added. */
  readonly models: readonly Option[];
  readonly most: number;
  readonly error?: string | undefined;
}

/** A list of models in an order. */
export function ModelOrder({ label, help, value, onChange, models, most, error }: ModelOrderProps) {
  const { modelFields } = useAdminMessages().admin.operations;
  const nameOf = (id: string) => models.find((model) => model.id === id)?.name ?? id;
  const others = models.filter(({ id }) => !value.includes(id));
  const earlier = (index: number) => onChange(value.with(index, value[index - 1]!).with(index - 1, value[index]!));
  return (
    <div role="group" aria-label={label} className="flex flex-col gap-2">
      <Select
        label={label}
        help={help}
        value={null}
        onChange={(id) => onChange([...value, id])}
        options={others}
        isDisabled={others.length === 0 || value.length >= most}
        error={error}
      />
      {value.length > 0 && (
        <ol className="flex flex-col rounded-sm border border-line">
          {value.map((id, index) => (
            <li key={id} className="flex items-center gap-2 border-b border-line ps-3 last:border-0">
              <span className="min-w-0 grow text-sm break-words">{nameOf(id)}</span>
              <IconButton label={modelFields.earlier(nameOf(id))} isDisabled={index === 0} onPress={() => earlier(index)}>
                <ArrowUp aria-hidden className="size-4" />
              </IconButton>
              <IconButton label={modelFields.without(nameOf(id))} onPress={() => onChange(value.filter((each) => each !== id))}>
                <X aria-hidden className="size-4" />
              </IconButton>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

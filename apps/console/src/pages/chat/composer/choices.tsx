import type { GlobalModel } from '@parlance/client/types';
import { Brain, ChevronDown, type LucideIcon } from 'lucide-react';
import { ToggleButton } from 'react-aria-components';
import { useMessages } from '../../../messages/index.ts';
import { canReason } from './models.ts';

interface Props {
  readonly models: readonly GlobalModel[];
  readonly model: GlobalModel | null;
  readonly onModel: (id: string) => void;
  readonly isReasoning: boolean;
  readonly onReasoning: (isOn: boolean) => void;
}

/** The model of the next reply, and whether it reasons first. */
export function Choices({ models, model, onModel, isReasoning, onReasoning }: Props) {
  const { chat } = useMessages();
  if (model === null) return null;
  return (
    <>
      {models.length > 1 ? (
        // A native select, because the select component of other forms would have to be loaded with each chat.
        <span className="relative inline-flex min-w-0 items-center text-xs text-muted hover:text-text">
          <select
            aria-label={chat.model}
            value={model.id}
            onChange={(event) => onModel(event.target.value)}
            className="min-h-9 max-w-56 min-w-0 cursor-pointer appearance-none truncate rounded-sm bg-raised ps-2 pe-6 max-sm:min-h-11"
          >
            {models.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
          <ChevronDown aria-hidden className="pointer-events-none absolute end-1.5 size-3.5" />
        </span>
      ) : (
        <span className="min-w-0 truncate px-2 text-xs text-muted">{model.name}</span>
      )}
      {canReason(model) && (
        <ChoiceToggle icon={Brain} isSelected={isReasoning} onChange={onReasoning}>
          {chat.reason}
        </ChoiceToggle>
      )}
    </>
  );
}

interface ToggleProps {
  readonly icon: LucideIcon;
  readonly isSelected: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly children: string;
}

export function ChoiceToggle({ icon: Icon, children, ...props }: ToggleProps) {
  return (
    <ToggleButton
      {...props}
      className="inline-flex min-h-9 cursor-pointer items-center gap-1.5 rounded-sm px-2 text-xs text-muted hover:bg-surface data-[selected]:bg-accent-soft data-[selected]:text-accent max-sm:min-h-11"
    >
      <Icon aria-hidden className="size-4" />
      <span className="max-sm:sr-only">{children}</span>
    </ToggleButton>
  );
}

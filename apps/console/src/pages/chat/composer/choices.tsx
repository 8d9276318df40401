import type { GlobalModel } from '@parlance/client/types';
import { Brain, ChevronDown, type LucideIcon } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { Button, ToggleButton } from 'react-aria-components';
import { useMessages } from '../../../messages/index.ts';
import { formatList } from '../../../messages/format.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';

const ModelMenu = lazyPart(() => import('./model-menu/model-menu.tsx'), 'ModelMenu');

interface Props {
  /** The models of this installation. */
  readonly all: readonly GlobalModel[];
  /** Those that may be chosen. */
  readonly models: readonly GlobalModel[];
  readonly bot: { readonly title: string } | null;
  readonly model: GlobalModel | null;
  readonly onModel: (id: string) => void;
  /** The models that are compared; empty if only one is asked. */
  readonly compared: readonly GlobalModel[];
  readonly onCompare: (ids: readonly string[]) => void;
  readonly canReason: boolean;
  readonly isReasoning: boolean;
  readonly onReasoning: (isOn: boolean) => void;
}

/** The model of the next reply, and whether it reasons first. */
export function Choices({ bot, model, canReason, isReasoning, onReasoning, ...its }: Props) {
  const { chat } = useMessages();
  if (model === null) return null;
  return (
    <>
      {its.all.length > 1 ? (
        <ModelButton {...its} model={model} botTitle={bot?.title ?? null} />
      ) : (
        <span className="min-w-0 truncate px-2 text-xs text-muted">{model.name}</span>
      )}
      {canReason && (
        <ChoiceToggle icon={Brain} isSelected={isReasoning} onChange={onReasoning}>
          {chat.reason}
        </ChoiceToggle>
      )}
    </>
  );
}

interface ModelButtonProps extends Pick<Props, 'all' | 'models' | 'onModel' | 'compared' | 'onCompare'> {
  readonly model: GlobalModel;
  readonly botTitle: string | null;
}

function ModelButton({ all, models, model, botTitle, onModel, compared, onCompare }: ModelButtonProps) {
  const { chat } = useMessages();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        ref={button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
        className="inline-flex min-h-9 max-w-56 min-w-0 cursor-pointer items-center gap-1 rounded-sm px-2 text-xs text-muted hover:bg-surface hover:text-text max-sm:min-h-11 max-sm:max-w-32"
      >
        <span className="sr-only">{chat.model}: </span>
        <span className="truncate">{compared.length > 0 ? formatList(compared.map(({ name }) => name)) : model.name}</span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0" />
      </Button>
      {isOpen && (
        <Suspense>
          <ModelMenu
            all={all}
            usable={models}
            chosen={model.id}
            botTitle={botTitle}
            trigger={button}
            onChoose={onModel}
            compared={compared}
            onCompare={onCompare}
            onClose={() => setOpen(false)}
          />
        </Suspense>
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

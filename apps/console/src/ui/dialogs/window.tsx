import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { IconButton } from '../button.tsx';

export interface WindowProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

interface Looks {
  readonly overlay: string;
  readonly modal: string;
  readonly dialog: string;
}

/** A modal window with a title bar. It traps the focus and closes with Escape. */
export function Window({ title, isOpen, onClose, looks, children }: WindowProps & { readonly looks: Looks }) {
  const { common } = useMessages();
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable
      className={`fixed inset-0 z-40 flex bg-shade ${looks.overlay}`}
    >
      <Modal className={`w-full border-line bg-raised shadow-raised ${looks.modal}`}>
        <Dialog className={`flex flex-col outline-none ${looks.dialog}`}>
          <div className="flex items-center gap-2 border-b border-line py-2 ps-5 pe-2">
            <Heading slot="title" className="grow text-md font-semibold">
              {title}
            </Heading>
            <IconButton label={common.close} onPress={onClose}>
              <X aria-hidden className="size-5" />
            </IconButton>
          </div>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

import { AccountFrame } from '../account-frame.tsx';
import { ExportSection } from './export-section.tsx';
import { ImportSection } from './import-section.tsx';

/** The user's own data: taken away as a file, and brought from another installation or product. */
export function DataPage() {
  return (
    <AccountFrame>
      <ExportSection />
      <ImportSection />
    </AccountFrame>
  );
}

import { AdminProvidersController } from './http/admin/catalogue/admin-providers.controller.ts';
import { AdminRoutesController } from './http/admin/catalogue/admin-routes.controller.ts';
import { ModelAnswers } from './http/admin/catalogue/model-answers.ts';
import { ModelChangesController } from './http/admin/catalogue/model-changes.controller.ts';
import { CatalogueChanges } from './workflows/catalogue/catalogue-changes.ts';
import { CatalogueReader } from './workflows/catalogue/catalogue-reader.ts';
import { ProviderChecks } from './workflows/catalogue/provider-checks.ts';
import { ProviderModels } from './workflows/catalogue/provider-models.ts';

/** The parts of the module by which administrators change the catalogue while Parlance runs. */
export const catalogueParts = {
  controllers: [AdminProvidersController, ModelChangesController, AdminRoutesController],
  providers: [CatalogueChanges, CatalogueReader, ModelAnswers, ProviderChecks, ProviderModels],
};

import { getKey } from '../../../access/keys/key.ts';
import type { Visit } from '../../page/page.ts';

/** The key that a page is about: one of the visitor's own. @throws UnknownError for that of another. */
export const ownKey = ({ acting, id }: Visit) => getKey(acting, id);

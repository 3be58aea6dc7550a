/** The signed-in user. */
export interface Visitor {
  readonly id: string;
  readonly email: string;
  readonly isOperator: boolean;
  readonly sessionId: string;
}

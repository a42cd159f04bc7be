//! Scripts: what each side sends, and the exchanges that come of it.

mod altered;
mod classic;
mod layouts;
mod script;
mod vsr;

mod due;
mod frames;
mod grammar;
